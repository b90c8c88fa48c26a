# check-headers: every public header compiles alone and without a precompiled
# header. Not part of the default build (an MLIR header takes ten seconds).
file(GLOB_RECURSE fly_headers CONFIGURE_DEPENDS RELATIVE ${Fly_SOURCE_DIR}/include
  ${Fly_SOURCE_DIR}/include/fly/*.h)
set(fly_header_sources)
foreach(header ${fly_headers})
  string(REGEX REPLACE "[/.]" "_" name ${header})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n")
  list(APPEND fly_header_sources ${source})
endforeach()
add_library(check-headers OBJECT EXCLUDE_FROM_ALL ${fly_header_sources})
fly_target_defaults(check-headers)
add_dependencies(check-headers FlyIncGen)
# Headers define little: at -O0 the work is that of the parser, and ccache keeps it.
target_compile_options(check-headers PRIVATE -O0)

# How Fly's libraries, tools and tests are declared. Every target goes through
# these functions, so that flags, linking mode and precompiled headers are
# decided in one place.

include(GNUInstallDirs)

# Compile flags that every Fly target shares. LLVM's packages are built without
# exceptions; their headers are system headers, so that our warnings stay ours.
function(fly_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  # -fPIC for executables too: a precompiled header wants one mode for all.
  target_compile_options(${target} PRIVATE
    -fPIC -Wall -Wextra -Wno-unused-parameter -fno-exceptions -ffp-contract=off)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${Fly_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${Fly_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${target} SYSTEM PUBLIC
    $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
  target_compile_definitions(${target} PRIVATE ${LLVM_DEFINITIONS_LIST})
  if(FLY_SANITIZER)
    target_compile_options(${target} PRIVATE -fsanitize=${FLY_SANITIZER}
      -fno-omit-frame-pointer -fno-sanitize-recover=undefined -fno-sanitize=vptr)
    target_link_options(${target} PUBLIC -fsanitize=${FLY_SANITIZER})
  endif()
endfunction()

# The precompiled header of a layer: "llvm" for the libraries without MLIR,
# "mlir" for the others. Each is compiled once and reused (style: 0.9 s a file).
function(fly_target_pch target layer)
  if(NOT FLY_USE_PCH)
    return()
  endif()
  if(NOT TARGET FlyPch_${layer})
    add_library(FlyPch_${layer} OBJECT ${Fly_SOURCE_DIR}/cmake/pch/${layer}.cpp)
    fly_target_defaults(FlyPch_${layer})
    target_precompile_headers(FlyPch_${layer} PRIVATE ${Fly_SOURCE_DIR}/cmake/pch/${layer}.h)
    fly_pch_flags(FlyPch_${layer})
  endif()
  target_precompile_headers(${target} REUSE_FROM FlyPch_${layer})
  fly_pch_flags(${target})
endfunction()

function(fly_pch_flags target)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(${target} PRIVATE -fpch-instantiate-templates
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# What a sanitized program needs beside its flags.
function(fly_sanitizer_options target)
  if(FLY_SANITIZER MATCHES address)
    target_sources(${target} PRIVATE ${Fly_SOURCE_DIR}/cmake/SanitizerOptions.cpp)
  endif()
endfunction()

# fly_add_library(<name> LAYER llvm|mlir SOURCES ... [LINK ...] [MLIR_LIBS ...] [LLVM_COMPONENTS ...])
# MLIR_LIBS names MLIR's static archives; with FLY_LINK_DYLIB it stands for
# libMLIR.so. LLVM_COMPONENTS says what is used of libLLVM.so.
function(fly_add_library name)
  cmake_parse_arguments(ARG "" "LAYER" "SOURCES;LINK;MLIR_LIBS;LLVM_COMPONENTS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_library(Fly::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  fly_target_defaults(${name})
  fly_target_pch(${name} ${ARG_LAYER})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  fly_link_llvm(${name} LAYER ${ARG_LAYER} MLIR_LIBS ${ARG_MLIR_LIBS} LLVM_COMPONENTS ${ARG_LLVM_COMPONENTS})
  if(ARG_LAYER STREQUAL mlir AND TARGET FlyIncGen)
    add_dependencies(${name} FlyIncGen)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  install(TARGETS ${name} EXPORT FlyTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_property(GLOBAL APPEND PROPERTY FLY_LIBRARIES ${name})
endfunction()

function(fly_link_llvm target)
  cmake_parse_arguments(ARG "" "LAYER" "MLIR_LIBS;LLVM_COMPONENTS" ${ARGN})
  if(FLY_LINK_DYLIB)
    if(ARG_LAYER STREQUAL mlir)
      target_link_libraries(${target} PUBLIC MLIR)
    endif()
    target_link_libraries(${target} PUBLIC LLVM)
  else()
    # The packages' MLIR and lld archives link libLLVM.so themselves; LLVM's
    # archives beside it would be a second copy of every option and registry.
    target_link_libraries(${target} PUBLIC ${ARG_MLIR_LIBS} LLVM)
  endif()
endfunction()

# fly_add_tool(<name> LAYER llvm|mlir SOURCES ... LINK ... [MLIR_LIBS ...] [NO_INSTALL])
# MLIR_LIBS names what the tool itself uses of MLIR, as for libraries.
# NO_INSTALL is for programs that only tests start.
function(fly_add_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "LAYER" "SOURCES;LINK;MLIR_LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  fly_target_defaults(${name})
  fly_sanitizer_options(${name})
  fly_target_pch(${name} ${ARG_LAYER})
  target_compile_definitions(${name} PRIVATE FLY_VERSION="${Fly_VERSION}")
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(ARG_MLIR_LIBS)
    fly_link_llvm(${name} LAYER ${ARG_LAYER} MLIR_LIBS ${ARG_MLIR_LIBS})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${Fly_BINARY_DIR}/bin)
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
  set_property(GLOBAL APPEND PROPERTY FLY_TOOLS ${name})
endfunction()

# fly_add_unit_test(<name> LAYER llvm|mlir SOURCES ... LINK ... [MLIR_LIBS ...]): one
# GoogleTest executable, each of its tests registered with CTest. MLIR_LIBS names
# what the tests themselves use of MLIR.
function(fly_add_unit_test name)
  cmake_parse_arguments(ARG "" "LAYER" "SOURCES;LINK;MLIR_LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  fly_target_defaults(${name})
  fly_sanitizer_options(${name})
  fly_target_pch(${name} ${ARG_LAYER})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(ARG_MLIR_LIBS)
    fly_link_llvm(${name} LAYER ${ARG_LAYER} MLIR_LIBS ${ARG_MLIR_LIBS})
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${Fly_BINARY_DIR}/unit)
  # Tests have the names that --gtest_filter takes, without printed values.
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
    NO_PRETTY_VALUES)
  set_property(GLOBAL APPEND PROPERTY FLY_UNIT_TESTS ${name})
endfunction()

# Compiler launcher and linker, decided once for the whole tree.
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(TRANSFORM LLVM_DEFINITIONS_LIST REPLACE "^-D" "")
if(FLY_USE_CCACHE)
  find_program(FLY_CCACHE ccache)
  if(FLY_CCACHE)
    # What precompiled headers need. Time stamps of headers stay strict: a header
    # saved while a file that includes it compiles must not end up in the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      ${FLY_CCACHE})
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  get_filename_component(FLY_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR} ABSOLUTE)
  if(EXISTS ${FLY_LLVM_BIN}/ld.lld)
    add_link_options(-fuse-ld=${FLY_LLVM_BIN}/ld.lld)
  endif()
endif()

// Where registers spill, other orders of the scheduler are tried. Warnings of LLVM
// are said once, for the object that is kept, which is always the same. Four
// waves a SIMD have 128 registers each, and a lane holds 150 numbers.
// RUN: fly-compile %s -o %t.1 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: fly-compile %s -o %t.2 2>/dev/null
// RUN: cmp %t.1 %t.2
// CHECK: warning: failed to meet occupancy target given by 'amdgpu-waves-per-eu' in 'k'
// CHECK: warning: kernel 'k' spills {{[0-9]+}} vector registers
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<40000 x i8>
  llvm.func @k(%a: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel,
      passthrough = [["amdgpu-waves-per-eu", "8,8"], ["amdgpu-flat-work-group-size", "1024,1024"]]} {
    %t = rocdl.workitem.id.x : i32
    %l = llvm.mlir.addressof @lds : !llvm.ptr<3>
    llvm.store volatile %t, %l : i32, !llvm.ptr<3>
    %q = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %p0 = llvm.getelementptr %q[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v0 = llvm.load volatile %p0 : !llvm.ptr<1> -> f32
    %p1 = llvm.getelementptr %q[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v1 = llvm.load volatile %p1 : !llvm.ptr<1> -> f32
    %p2 = llvm.getelementptr %q[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v2 = llvm.load volatile %p2 : !llvm.ptr<1> -> f32
    %p3 = llvm.getelementptr %q[192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v3 = llvm.load volatile %p3 : !llvm.ptr<1> -> f32
    %p4 = llvm.getelementptr %q[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v4 = llvm.load volatile %p4 : !llvm.ptr<1> -> f32
    %p5 = llvm.getelementptr %q[320] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v5 = llvm.load volatile %p5 : !llvm.ptr<1> -> f32
    %p6 = llvm.getelementptr %q[384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v6 = llvm.load volatile %p6 : !llvm.ptr<1> -> f32
    %p7 = llvm.getelementptr %q[448] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v7 = llvm.load volatile %p7 : !llvm.ptr<1> -> f32
    %p8 = llvm.getelementptr %q[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v8 = llvm.load volatile %p8 : !llvm.ptr<1> -> f32
    %p9 = llvm.getelementptr %q[576] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v9 = llvm.load volatile %p9 : !llvm.ptr<1> -> f32
    %p10 = llvm.getelementptr %q[640] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v10 = llvm.load volatile %p10 : !llvm.ptr<1> -> f32
    %p11 = llvm.getelementptr %q[704] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v11 = llvm.load volatile %p11 : !llvm.ptr<1> -> f32
    %p12 = llvm.getelementptr %q[768] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v12 = llvm.load volatile %p12 : !llvm.ptr<1> -> f32
    %p13 = llvm.getelementptr %q[832] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v13 = llvm.load volatile %p13 : !llvm.ptr<1> -> f32
    %p14 = llvm.getelementptr %q[896] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v14 = llvm.load volatile %p14 : !llvm.ptr<1> -> f32
    %p15 = llvm.getelementptr %q[960] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v15 = llvm.load volatile %p15 : !llvm.ptr<1> -> f32
    %p16 = llvm.getelementptr %q[1024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v16 = llvm.load volatile %p16 : !llvm.ptr<1> -> f32
    %p17 = llvm.getelementptr %q[1088] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v17 = llvm.load volatile %p17 : !llvm.ptr<1> -> f32
    %p18 = llvm.getelementptr %q[1152] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v18 = llvm.load volatile %p18 : !llvm.ptr<1> -> f32
    %p19 = llvm.getelementptr %q[1216] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v19 = llvm.load volatile %p19 : !llvm.ptr<1> -> f32
    %p20 = llvm.getelementptr %q[1280] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v20 = llvm.load volatile %p20 : !llvm.ptr<1> -> f32
    %p21 = llvm.getelementptr %q[1344] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v21 = llvm.load volatile %p21 : !llvm.ptr<1> -> f32
    %p22 = llvm.getelementptr %q[1408] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v22 = llvm.load volatile %p22 : !llvm.ptr<1> -> f32
    %p23 = llvm.getelementptr %q[1472] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v23 = llvm.load volatile %p23 : !llvm.ptr<1> -> f32
    %p24 = llvm.getelementptr %q[1536] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v24 = llvm.load volatile %p24 : !llvm.ptr<1> -> f32
    %p25 = llvm.getelementptr %q[1600] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v25 = llvm.load volatile %p25 : !llvm.ptr<1> -> f32
    %p26 = llvm.getelementptr %q[1664] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v26 = llvm.load volatile %p26 : !llvm.ptr<1> -> f32
    %p27 = llvm.getelementptr %q[1728] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v27 = llvm.load volatile %p27 : !llvm.ptr<1> -> f32
    %p28 = llvm.getelementptr %q[1792] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v28 = llvm.load volatile %p28 : !llvm.ptr<1> -> f32
    %p29 = llvm.getelementptr %q[1856] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v29 = llvm.load volatile %p29 : !llvm.ptr<1> -> f32
    %p30 = llvm.getelementptr %q[1920] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v30 = llvm.load volatile %p30 : !llvm.ptr<1> -> f32
    %p31 = llvm.getelementptr %q[1984] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v31 = llvm.load volatile %p31 : !llvm.ptr<1> -> f32
    %p32 = llvm.getelementptr %q[2048] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v32 = llvm.load volatile %p32 : !llvm.ptr<1> -> f32
    %p33 = llvm.getelementptr %q[2112] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v33 = llvm.load volatile %p33 : !llvm.ptr<1> -> f32
    %p34 = llvm.getelementptr %q[2176] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v34 = llvm.load volatile %p34 : !llvm.ptr<1> -> f32
    %p35 = llvm.getelementptr %q[2240] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v35 = llvm.load volatile %p35 : !llvm.ptr<1> -> f32
    %p36 = llvm.getelementptr %q[2304] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v36 = llvm.load volatile %p36 : !llvm.ptr<1> -> f32
    %p37 = llvm.getelementptr %q[2368] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v37 = llvm.load volatile %p37 : !llvm.ptr<1> -> f32
    %p38 = llvm.getelementptr %q[2432] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v38 = llvm.load volatile %p38 : !llvm.ptr<1> -> f32
    %p39 = llvm.getelementptr %q[2496] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v39 = llvm.load volatile %p39 : !llvm.ptr<1> -> f32
    %p40 = llvm.getelementptr %q[2560] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v40 = llvm.load volatile %p40 : !llvm.ptr<1> -> f32
    %p41 = llvm.getelementptr %q[2624] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v41 = llvm.load volatile %p41 : !llvm.ptr<1> -> f32
    %p42 = llvm.getelementptr %q[2688] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v42 = llvm.load volatile %p42 : !llvm.ptr<1> -> f32
    %p43 = llvm.getelementptr %q[2752] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v43 = llvm.load volatile %p43 : !llvm.ptr<1> -> f32
    %p44 = llvm.getelementptr %q[2816] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v44 = llvm.load volatile %p44 : !llvm.ptr<1> -> f32
    %p45 = llvm.getelementptr %q[2880] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v45 = llvm.load volatile %p45 : !llvm.ptr<1> -> f32
    %p46 = llvm.getelementptr %q[2944] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v46 = llvm.load volatile %p46 : !llvm.ptr<1> -> f32
    %p47 = llvm.getelementptr %q[3008] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v47 = llvm.load volatile %p47 : !llvm.ptr<1> -> f32
    %p48 = llvm.getelementptr %q[3072] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v48 = llvm.load volatile %p48 : !llvm.ptr<1> -> f32
    %p49 = llvm.getelementptr %q[3136] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v49 = llvm.load volatile %p49 : !llvm.ptr<1> -> f32
    %p50 = llvm.getelementptr %q[3200] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v50 = llvm.load volatile %p50 : !llvm.ptr<1> -> f32
    %p51 = llvm.getelementptr %q[3264] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v51 = llvm.load volatile %p51 : !llvm.ptr<1> -> f32
    %p52 = llvm.getelementptr %q[3328] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v52 = llvm.load volatile %p52 : !llvm.ptr<1> -> f32
    %p53 = llvm.getelementptr %q[3392] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v53 = llvm.load volatile %p53 : !llvm.ptr<1> -> f32
    %p54 = llvm.getelementptr %q[3456] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v54 = llvm.load volatile %p54 : !llvm.ptr<1> -> f32
    %p55 = llvm.getelementptr %q[3520] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v55 = llvm.load volatile %p55 : !llvm.ptr<1> -> f32
    %p56 = llvm.getelementptr %q[3584] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v56 = llvm.load volatile %p56 : !llvm.ptr<1> -> f32
    %p57 = llvm.getelementptr %q[3648] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v57 = llvm.load volatile %p57 : !llvm.ptr<1> -> f32
    %p58 = llvm.getelementptr %q[3712] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v58 = llvm.load volatile %p58 : !llvm.ptr<1> -> f32
    %p59 = llvm.getelementptr %q[3776] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v59 = llvm.load volatile %p59 : !llvm.ptr<1> -> f32
    %p60 = llvm.getelementptr %q[3840] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v60 = llvm.load volatile %p60 : !llvm.ptr<1> -> f32
    %p61 = llvm.getelementptr %q[3904] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v61 = llvm.load volatile %p61 : !llvm.ptr<1> -> f32
    %p62 = llvm.getelementptr %q[3968] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v62 = llvm.load volatile %p62 : !llvm.ptr<1> -> f32
    %p63 = llvm.getelementptr %q[4032] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v63 = llvm.load volatile %p63 : !llvm.ptr<1> -> f32
    %p64 = llvm.getelementptr %q[4096] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v64 = llvm.load volatile %p64 : !llvm.ptr<1> -> f32
    %p65 = llvm.getelementptr %q[4160] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v65 = llvm.load volatile %p65 : !llvm.ptr<1> -> f32
    %p66 = llvm.getelementptr %q[4224] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v66 = llvm.load volatile %p66 : !llvm.ptr<1> -> f32
    %p67 = llvm.getelementptr %q[4288] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v67 = llvm.load volatile %p67 : !llvm.ptr<1> -> f32
    %p68 = llvm.getelementptr %q[4352] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v68 = llvm.load volatile %p68 : !llvm.ptr<1> -> f32
    %p69 = llvm.getelementptr %q[4416] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v69 = llvm.load volatile %p69 : !llvm.ptr<1> -> f32
    %p70 = llvm.getelementptr %q[4480] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v70 = llvm.load volatile %p70 : !llvm.ptr<1> -> f32
    %p71 = llvm.getelementptr %q[4544] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v71 = llvm.load volatile %p71 : !llvm.ptr<1> -> f32
    %p72 = llvm.getelementptr %q[4608] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v72 = llvm.load volatile %p72 : !llvm.ptr<1> -> f32
    %p73 = llvm.getelementptr %q[4672] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v73 = llvm.load volatile %p73 : !llvm.ptr<1> -> f32
    %p74 = llvm.getelementptr %q[4736] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v74 = llvm.load volatile %p74 : !llvm.ptr<1> -> f32
    %p75 = llvm.getelementptr %q[4800] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v75 = llvm.load volatile %p75 : !llvm.ptr<1> -> f32
    %p76 = llvm.getelementptr %q[4864] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v76 = llvm.load volatile %p76 : !llvm.ptr<1> -> f32
    %p77 = llvm.getelementptr %q[4928] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v77 = llvm.load volatile %p77 : !llvm.ptr<1> -> f32
    %p78 = llvm.getelementptr %q[4992] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v78 = llvm.load volatile %p78 : !llvm.ptr<1> -> f32
    %p79 = llvm.getelementptr %q[5056] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v79 = llvm.load volatile %p79 : !llvm.ptr<1> -> f32
    %p80 = llvm.getelementptr %q[5120] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v80 = llvm.load volatile %p80 : !llvm.ptr<1> -> f32
    %p81 = llvm.getelementptr %q[5184] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v81 = llvm.load volatile %p81 : !llvm.ptr<1> -> f32
    %p82 = llvm.getelementptr %q[5248] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v82 = llvm.load volatile %p82 : !llvm.ptr<1> -> f32
    %p83 = llvm.getelementptr %q[5312] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v83 = llvm.load volatile %p83 : !llvm.ptr<1> -> f32
    %p84 = llvm.getelementptr %q[5376] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v84 = llvm.load volatile %p84 : !llvm.ptr<1> -> f32
    %p85 = llvm.getelementptr %q[5440] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v85 = llvm.load volatile %p85 : !llvm.ptr<1> -> f32
    %p86 = llvm.getelementptr %q[5504] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v86 = llvm.load volatile %p86 : !llvm.ptr<1> -> f32
    %p87 = llvm.getelementptr %q[5568] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v87 = llvm.load volatile %p87 : !llvm.ptr<1> -> f32
    %p88 = llvm.getelementptr %q[5632] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v88 = llvm.load volatile %p88 : !llvm.ptr<1> -> f32
    %p89 = llvm.getelementptr %q[5696] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v89 = llvm.load volatile %p89 : !llvm.ptr<1> -> f32
    %p90 = llvm.getelementptr %q[5760] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v90 = llvm.load volatile %p90 : !llvm.ptr<1> -> f32
    %p91 = llvm.getelementptr %q[5824] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v91 = llvm.load volatile %p91 : !llvm.ptr<1> -> f32
    %p92 = llvm.getelementptr %q[5888] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v92 = llvm.load volatile %p92 : !llvm.ptr<1> -> f32
    %p93 = llvm.getelementptr %q[5952] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v93 = llvm.load volatile %p93 : !llvm.ptr<1> -> f32
    %p94 = llvm.getelementptr %q[6016] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v94 = llvm.load volatile %p94 : !llvm.ptr<1> -> f32
    %p95 = llvm.getelementptr %q[6080] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v95 = llvm.load volatile %p95 : !llvm.ptr<1> -> f32
    %p96 = llvm.getelementptr %q[6144] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v96 = llvm.load volatile %p96 : !llvm.ptr<1> -> f32
    %p97 = llvm.getelementptr %q[6208] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v97 = llvm.load volatile %p97 : !llvm.ptr<1> -> f32
    %p98 = llvm.getelementptr %q[6272] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v98 = llvm.load volatile %p98 : !llvm.ptr<1> -> f32
    %p99 = llvm.getelementptr %q[6336] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v99 = llvm.load volatile %p99 : !llvm.ptr<1> -> f32
    %p100 = llvm.getelementptr %q[6400] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v100 = llvm.load volatile %p100 : !llvm.ptr<1> -> f32
    %p101 = llvm.getelementptr %q[6464] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v101 = llvm.load volatile %p101 : !llvm.ptr<1> -> f32
    %p102 = llvm.getelementptr %q[6528] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v102 = llvm.load volatile %p102 : !llvm.ptr<1> -> f32
    %p103 = llvm.getelementptr %q[6592] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v103 = llvm.load volatile %p103 : !llvm.ptr<1> -> f32
    %p104 = llvm.getelementptr %q[6656] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v104 = llvm.load volatile %p104 : !llvm.ptr<1> -> f32
    %p105 = llvm.getelementptr %q[6720] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v105 = llvm.load volatile %p105 : !llvm.ptr<1> -> f32
    %p106 = llvm.getelementptr %q[6784] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v106 = llvm.load volatile %p106 : !llvm.ptr<1> -> f32
    %p107 = llvm.getelementptr %q[6848] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v107 = llvm.load volatile %p107 : !llvm.ptr<1> -> f32
    %p108 = llvm.getelementptr %q[6912] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v108 = llvm.load volatile %p108 : !llvm.ptr<1> -> f32
    %p109 = llvm.getelementptr %q[6976] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v109 = llvm.load volatile %p109 : !llvm.ptr<1> -> f32
    %p110 = llvm.getelementptr %q[7040] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v110 = llvm.load volatile %p110 : !llvm.ptr<1> -> f32
    %p111 = llvm.getelementptr %q[7104] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v111 = llvm.load volatile %p111 : !llvm.ptr<1> -> f32
    %p112 = llvm.getelementptr %q[7168] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v112 = llvm.load volatile %p112 : !llvm.ptr<1> -> f32
    %p113 = llvm.getelementptr %q[7232] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v113 = llvm.load volatile %p113 : !llvm.ptr<1> -> f32
    %p114 = llvm.getelementptr %q[7296] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v114 = llvm.load volatile %p114 : !llvm.ptr<1> -> f32
    %p115 = llvm.getelementptr %q[7360] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v115 = llvm.load volatile %p115 : !llvm.ptr<1> -> f32
    %p116 = llvm.getelementptr %q[7424] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v116 = llvm.load volatile %p116 : !llvm.ptr<1> -> f32
    %p117 = llvm.getelementptr %q[7488] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v117 = llvm.load volatile %p117 : !llvm.ptr<1> -> f32
    %p118 = llvm.getelementptr %q[7552] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v118 = llvm.load volatile %p118 : !llvm.ptr<1> -> f32
    %p119 = llvm.getelementptr %q[7616] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v119 = llvm.load volatile %p119 : !llvm.ptr<1> -> f32
    %p120 = llvm.getelementptr %q[7680] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v120 = llvm.load volatile %p120 : !llvm.ptr<1> -> f32
    %p121 = llvm.getelementptr %q[7744] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v121 = llvm.load volatile %p121 : !llvm.ptr<1> -> f32
    %p122 = llvm.getelementptr %q[7808] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v122 = llvm.load volatile %p122 : !llvm.ptr<1> -> f32
    %p123 = llvm.getelementptr %q[7872] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v123 = llvm.load volatile %p123 : !llvm.ptr<1> -> f32
    %p124 = llvm.getelementptr %q[7936] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v124 = llvm.load volatile %p124 : !llvm.ptr<1> -> f32
    %p125 = llvm.getelementptr %q[8000] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v125 = llvm.load volatile %p125 : !llvm.ptr<1> -> f32
    %p126 = llvm.getelementptr %q[8064] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v126 = llvm.load volatile %p126 : !llvm.ptr<1> -> f32
    %p127 = llvm.getelementptr %q[8128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v127 = llvm.load volatile %p127 : !llvm.ptr<1> -> f32
    %p128 = llvm.getelementptr %q[8192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v128 = llvm.load volatile %p128 : !llvm.ptr<1> -> f32
    %p129 = llvm.getelementptr %q[8256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v129 = llvm.load volatile %p129 : !llvm.ptr<1> -> f32
    %p130 = llvm.getelementptr %q[8320] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v130 = llvm.load volatile %p130 : !llvm.ptr<1> -> f32
    %p131 = llvm.getelementptr %q[8384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v131 = llvm.load volatile %p131 : !llvm.ptr<1> -> f32
    %p132 = llvm.getelementptr %q[8448] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v132 = llvm.load volatile %p132 : !llvm.ptr<1> -> f32
    %p133 = llvm.getelementptr %q[8512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v133 = llvm.load volatile %p133 : !llvm.ptr<1> -> f32
    %p134 = llvm.getelementptr %q[8576] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v134 = llvm.load volatile %p134 : !llvm.ptr<1> -> f32
    %p135 = llvm.getelementptr %q[8640] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v135 = llvm.load volatile %p135 : !llvm.ptr<1> -> f32
    %p136 = llvm.getelementptr %q[8704] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v136 = llvm.load volatile %p136 : !llvm.ptr<1> -> f32
    %p137 = llvm.getelementptr %q[8768] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v137 = llvm.load volatile %p137 : !llvm.ptr<1> -> f32
    %p138 = llvm.getelementptr %q[8832] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v138 = llvm.load volatile %p138 : !llvm.ptr<1> -> f32
    %p139 = llvm.getelementptr %q[8896] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v139 = llvm.load volatile %p139 : !llvm.ptr<1> -> f32
    %p140 = llvm.getelementptr %q[8960] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v140 = llvm.load volatile %p140 : !llvm.ptr<1> -> f32
    %p141 = llvm.getelementptr %q[9024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v141 = llvm.load volatile %p141 : !llvm.ptr<1> -> f32
    %p142 = llvm.getelementptr %q[9088] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v142 = llvm.load volatile %p142 : !llvm.ptr<1> -> f32
    %p143 = llvm.getelementptr %q[9152] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v143 = llvm.load volatile %p143 : !llvm.ptr<1> -> f32
    %p144 = llvm.getelementptr %q[9216] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v144 = llvm.load volatile %p144 : !llvm.ptr<1> -> f32
    %p145 = llvm.getelementptr %q[9280] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v145 = llvm.load volatile %p145 : !llvm.ptr<1> -> f32
    %p146 = llvm.getelementptr %q[9344] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v146 = llvm.load volatile %p146 : !llvm.ptr<1> -> f32
    %p147 = llvm.getelementptr %q[9408] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v147 = llvm.load volatile %p147 : !llvm.ptr<1> -> f32
    %p148 = llvm.getelementptr %q[9472] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v148 = llvm.load volatile %p148 : !llvm.ptr<1> -> f32
    %p149 = llvm.getelementptr %q[9536] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v149 = llvm.load volatile %p149 : !llvm.ptr<1> -> f32
    llvm.store volatile %v0, %p149 : f32, !llvm.ptr<1>
    llvm.store volatile %v1, %p148 : f32, !llvm.ptr<1>
    llvm.store volatile %v2, %p147 : f32, !llvm.ptr<1>
    llvm.store volatile %v3, %p146 : f32, !llvm.ptr<1>
    llvm.store volatile %v4, %p145 : f32, !llvm.ptr<1>
    llvm.store volatile %v5, %p144 : f32, !llvm.ptr<1>
    llvm.store volatile %v6, %p143 : f32, !llvm.ptr<1>
    llvm.store volatile %v7, %p142 : f32, !llvm.ptr<1>
    llvm.store volatile %v8, %p141 : f32, !llvm.ptr<1>
    llvm.store volatile %v9, %p140 : f32, !llvm.ptr<1>
    llvm.store volatile %v10, %p139 : f32, !llvm.ptr<1>
    llvm.store volatile %v11, %p138 : f32, !llvm.ptr<1>
    llvm.store volatile %v12, %p137 : f32, !llvm.ptr<1>
    llvm.store volatile %v13, %p136 : f32, !llvm.ptr<1>
    llvm.store volatile %v14, %p135 : f32, !llvm.ptr<1>
    llvm.store volatile %v15, %p134 : f32, !llvm.ptr<1>
    llvm.store volatile %v16, %p133 : f32, !llvm.ptr<1>
    llvm.store volatile %v17, %p132 : f32, !llvm.ptr<1>
    llvm.store volatile %v18, %p131 : f32, !llvm.ptr<1>
    llvm.store volatile %v19, %p130 : f32, !llvm.ptr<1>
    llvm.store volatile %v20, %p129 : f32, !llvm.ptr<1>
    llvm.store volatile %v21, %p128 : f32, !llvm.ptr<1>
    llvm.store volatile %v22, %p127 : f32, !llvm.ptr<1>
    llvm.store volatile %v23, %p126 : f32, !llvm.ptr<1>
    llvm.store volatile %v24, %p125 : f32, !llvm.ptr<1>
    llvm.store volatile %v25, %p124 : f32, !llvm.ptr<1>
    llvm.store volatile %v26, %p123 : f32, !llvm.ptr<1>
    llvm.store volatile %v27, %p122 : f32, !llvm.ptr<1>
    llvm.store volatile %v28, %p121 : f32, !llvm.ptr<1>
    llvm.store volatile %v29, %p120 : f32, !llvm.ptr<1>
    llvm.store volatile %v30, %p119 : f32, !llvm.ptr<1>
    llvm.store volatile %v31, %p118 : f32, !llvm.ptr<1>
    llvm.store volatile %v32, %p117 : f32, !llvm.ptr<1>
    llvm.store volatile %v33, %p116 : f32, !llvm.ptr<1>
    llvm.store volatile %v34, %p115 : f32, !llvm.ptr<1>
    llvm.store volatile %v35, %p114 : f32, !llvm.ptr<1>
    llvm.store volatile %v36, %p113 : f32, !llvm.ptr<1>
    llvm.store volatile %v37, %p112 : f32, !llvm.ptr<1>
    llvm.store volatile %v38, %p111 : f32, !llvm.ptr<1>
    llvm.store volatile %v39, %p110 : f32, !llvm.ptr<1>
    llvm.store volatile %v40, %p109 : f32, !llvm.ptr<1>
    llvm.store volatile %v41, %p108 : f32, !llvm.ptr<1>
    llvm.store volatile %v42, %p107 : f32, !llvm.ptr<1>
    llvm.store volatile %v43, %p106 : f32, !llvm.ptr<1>
    llvm.store volatile %v44, %p105 : f32, !llvm.ptr<1>
    llvm.store volatile %v45, %p104 : f32, !llvm.ptr<1>
    llvm.store volatile %v46, %p103 : f32, !llvm.ptr<1>
    llvm.store volatile %v47, %p102 : f32, !llvm.ptr<1>
    llvm.store volatile %v48, %p101 : f32, !llvm.ptr<1>
    llvm.store volatile %v49, %p100 : f32, !llvm.ptr<1>
    llvm.store volatile %v50, %p99 : f32, !llvm.ptr<1>
    llvm.store volatile %v51, %p98 : f32, !llvm.ptr<1>
    llvm.store volatile %v52, %p97 : f32, !llvm.ptr<1>
    llvm.store volatile %v53, %p96 : f32, !llvm.ptr<1>
    llvm.store volatile %v54, %p95 : f32, !llvm.ptr<1>
    llvm.store volatile %v55, %p94 : f32, !llvm.ptr<1>
    llvm.store volatile %v56, %p93 : f32, !llvm.ptr<1>
    llvm.store volatile %v57, %p92 : f32, !llvm.ptr<1>
    llvm.store volatile %v58, %p91 : f32, !llvm.ptr<1>
    llvm.store volatile %v59, %p90 : f32, !llvm.ptr<1>
    llvm.store volatile %v60, %p89 : f32, !llvm.ptr<1>
    llvm.store volatile %v61, %p88 : f32, !llvm.ptr<1>
    llvm.store volatile %v62, %p87 : f32, !llvm.ptr<1>
    llvm.store volatile %v63, %p86 : f32, !llvm.ptr<1>
    llvm.store volatile %v64, %p85 : f32, !llvm.ptr<1>
    llvm.store volatile %v65, %p84 : f32, !llvm.ptr<1>
    llvm.store volatile %v66, %p83 : f32, !llvm.ptr<1>
    llvm.store volatile %v67, %p82 : f32, !llvm.ptr<1>
    llvm.store volatile %v68, %p81 : f32, !llvm.ptr<1>
    llvm.store volatile %v69, %p80 : f32, !llvm.ptr<1>
    llvm.store volatile %v70, %p79 : f32, !llvm.ptr<1>
    llvm.store volatile %v71, %p78 : f32, !llvm.ptr<1>
    llvm.store volatile %v72, %p77 : f32, !llvm.ptr<1>
    llvm.store volatile %v73, %p76 : f32, !llvm.ptr<1>
    llvm.store volatile %v74, %p75 : f32, !llvm.ptr<1>
    llvm.store volatile %v75, %p74 : f32, !llvm.ptr<1>
    llvm.store volatile %v76, %p73 : f32, !llvm.ptr<1>
    llvm.store volatile %v77, %p72 : f32, !llvm.ptr<1>
    llvm.store volatile %v78, %p71 : f32, !llvm.ptr<1>
    llvm.store volatile %v79, %p70 : f32, !llvm.ptr<1>
    llvm.store volatile %v80, %p69 : f32, !llvm.ptr<1>
    llvm.store volatile %v81, %p68 : f32, !llvm.ptr<1>
    llvm.store volatile %v82, %p67 : f32, !llvm.ptr<1>
    llvm.store volatile %v83, %p66 : f32, !llvm.ptr<1>
    llvm.store volatile %v84, %p65 : f32, !llvm.ptr<1>
    llvm.store volatile %v85, %p64 : f32, !llvm.ptr<1>
    llvm.store volatile %v86, %p63 : f32, !llvm.ptr<1>
    llvm.store volatile %v87, %p62 : f32, !llvm.ptr<1>
    llvm.store volatile %v88, %p61 : f32, !llvm.ptr<1>
    llvm.store volatile %v89, %p60 : f32, !llvm.ptr<1>
    llvm.store volatile %v90, %p59 : f32, !llvm.ptr<1>
    llvm.store volatile %v91, %p58 : f32, !llvm.ptr<1>
    llvm.store volatile %v92, %p57 : f32, !llvm.ptr<1>
    llvm.store volatile %v93, %p56 : f32, !llvm.ptr<1>
    llvm.store volatile %v94, %p55 : f32, !llvm.ptr<1>
    llvm.store volatile %v95, %p54 : f32, !llvm.ptr<1>
    llvm.store volatile %v96, %p53 : f32, !llvm.ptr<1>
    llvm.store volatile %v97, %p52 : f32, !llvm.ptr<1>
    llvm.store volatile %v98, %p51 : f32, !llvm.ptr<1>
    llvm.store volatile %v99, %p50 : f32, !llvm.ptr<1>
    llvm.store volatile %v100, %p49 : f32, !llvm.ptr<1>
    llvm.store volatile %v101, %p48 : f32, !llvm.ptr<1>
    llvm.store volatile %v102, %p47 : f32, !llvm.ptr<1>
    llvm.store volatile %v103, %p46 : f32, !llvm.ptr<1>
    llvm.store volatile %v104, %p45 : f32, !llvm.ptr<1>
    llvm.store volatile %v105, %p44 : f32, !llvm.ptr<1>
    llvm.store volatile %v106, %p43 : f32, !llvm.ptr<1>
    llvm.store volatile %v107, %p42 : f32, !llvm.ptr<1>
    llvm.store volatile %v108, %p41 : f32, !llvm.ptr<1>
    llvm.store volatile %v109, %p40 : f32, !llvm.ptr<1>
    llvm.store volatile %v110, %p39 : f32, !llvm.ptr<1>
    llvm.store volatile %v111, %p38 : f32, !llvm.ptr<1>
    llvm.store volatile %v112, %p37 : f32, !llvm.ptr<1>
    llvm.store volatile %v113, %p36 : f32, !llvm.ptr<1>
    llvm.store volatile %v114, %p35 : f32, !llvm.ptr<1>
    llvm.store volatile %v115, %p34 : f32, !llvm.ptr<1>
    llvm.store volatile %v116, %p33 : f32, !llvm.ptr<1>
    llvm.store volatile %v117, %p32 : f32, !llvm.ptr<1>
    llvm.store volatile %v118, %p31 : f32, !llvm.ptr<1>
    llvm.store volatile %v119, %p30 : f32, !llvm.ptr<1>
    llvm.store volatile %v120, %p29 : f32, !llvm.ptr<1>
    llvm.store volatile %v121, %p28 : f32, !llvm.ptr<1>
    llvm.store volatile %v122, %p27 : f32, !llvm.ptr<1>
    llvm.store volatile %v123, %p26 : f32, !llvm.ptr<1>
    llvm.store volatile %v124, %p25 : f32, !llvm.ptr<1>
    llvm.store volatile %v125, %p24 : f32, !llvm.ptr<1>
    llvm.store volatile %v126, %p23 : f32, !llvm.ptr<1>
    llvm.store volatile %v127, %p22 : f32, !llvm.ptr<1>
    llvm.store volatile %v128, %p21 : f32, !llvm.ptr<1>
    llvm.store volatile %v129, %p20 : f32, !llvm.ptr<1>
    llvm.store volatile %v130, %p19 : f32, !llvm.ptr<1>
    llvm.store volatile %v131, %p18 : f32, !llvm.ptr<1>
    llvm.store volatile %v132, %p17 : f32, !llvm.ptr<1>
    llvm.store volatile %v133, %p16 : f32, !llvm.ptr<1>
    llvm.store volatile %v134, %p15 : f32, !llvm.ptr<1>
    llvm.store volatile %v135, %p14 : f32, !llvm.ptr<1>
    llvm.store volatile %v136, %p13 : f32, !llvm.ptr<1>
    llvm.store volatile %v137, %p12 : f32, !llvm.ptr<1>
    llvm.store volatile %v138, %p11 : f32, !llvm.ptr<1>
    llvm.store volatile %v139, %p10 : f32, !llvm.ptr<1>
    llvm.store volatile %v140, %p9 : f32, !llvm.ptr<1>
    llvm.store volatile %v141, %p8 : f32, !llvm.ptr<1>
    llvm.store volatile %v142, %p7 : f32, !llvm.ptr<1>
    llvm.store volatile %v143, %p6 : f32, !llvm.ptr<1>
    llvm.store volatile %v144, %p5 : f32, !llvm.ptr<1>
    llvm.store volatile %v145, %p4 : f32, !llvm.ptr<1>
    llvm.store volatile %v146, %p3 : f32, !llvm.ptr<1>
    llvm.store volatile %v147, %p2 : f32, !llvm.ptr<1>
    llvm.store volatile %v148, %p1 : f32, !llvm.ptr<1>
    llvm.store volatile %v149, %p0 : f32, !llvm.ptr<1>
    llvm.return
  }
}

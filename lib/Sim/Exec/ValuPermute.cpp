//===- ValuPermute.cpp - Byte permutations by the host's own --------------===//
//
// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v_perm_b32 by the bytes of a selector: 0..3 choose a byte of the second
// source, 4..7 one of the first, 8..11 repeat the sign of a word of the pair,
// 12 is 0 and 13 and above are 0xFF. The host shuffles bytes inside 16 bytes,
// four lanes: both sources by the lowest two bits, and bit 2 chooses between
// them.
//
//===----------------------------------------------------------------------===//

#include "ValuPermute.h"

#include "ValuWideLanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace fly;
using namespace fly::sim;

#if defined(__x86_64__)

namespace {

/// The first byte of each of four lanes, in all of its bytes.
FLY_TARGET_AVX2 __m128i laneBytes() {
  return _mm_setr_epi32(0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C);
}

FLY_TARGET_AVX512 __m512i permAvx512(__m512i a, __m512i b, __m512i selector) {
  const __m512i base = _mm512_broadcast_i32x4(laneBytes());
  auto all = [](int byte)
                 FLY_TARGET_AVX512 { return _mm512_set1_epi8(char(byte)); };
  // Byte `index` of the source that the bits `choice` of the selector name.
  auto pick = [&](__m512i index, int choice) FLY_TARGET_AVX512 {
    index = _mm512_or_si512(index, base);
    return _mm512_mask_blend_epi8(_mm512_test_epi8_mask(selector, all(choice)),
                                  _mm512_shuffle_epi8(b, index),
                                  _mm512_shuffle_epi8(a, index));
  };
  __m512i bytes = pick(_mm512_and_si512(selector, all(3)), 4);
  if (_mm512_test_epi8_mask(selector, all(0xF8)) == 0)
    return bytes;
  // Bytes 1 and 3 have the signs: twice bit 0 of the selector, and one.
  __m512i odd = _mm512_and_si512(_mm512_add_epi8(selector, selector), all(2));
  __m512i signs = pick(_mm512_or_si512(odd, all(1)), 2);
  __mmask64 isConstant = _mm512_cmpge_epu8_mask(selector, all(8));
  __mmask64 isSign = isConstant & _mm512_cmplt_epu8_mask(selector, all(12));
  __mmask64 isOnes = (isSign & _mm512_movepi8_mask(signs)) |
                     _mm512_cmpge_epu8_mask(selector, all(13));
  return _mm512_mask_blend_epi8(isConstant, bytes, _mm512_movm_epi8(isOnes));
}

FLY_TARGET_AVX2 __m256i permAvx2(__m256i a, __m256i b, __m256i selector) {
  const __m256i base = _mm256_broadcastsi128_si256(laneBytes());
  auto all = [](int byte)
                 FLY_TARGET_AVX2 { return _mm256_set1_epi8(char(byte)); };
  // The highest bit of each byte of `choice` takes the first source.
  auto pick = [&](__m256i index, __m256i choice) FLY_TARGET_AVX2 {
    index = _mm256_or_si256(index, base);
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(b, index),
                              _mm256_shuffle_epi8(a, index), choice);
  };
  __m256i bytes =
      pick(_mm256_and_si256(selector, all(3)), _mm256_slli_epi16(selector, 5));
  if (_mm256_testz_si256(selector, all(0xF8)))
    return bytes;
  __m256i odd = _mm256_and_si256(_mm256_add_epi8(selector, selector), all(2));
  __m256i signs =
      pick(_mm256_or_si256(odd, all(1)), _mm256_slli_epi16(selector, 6));
  auto atLeast = [&](int limit) FLY_TARGET_AVX2 {
    return _mm256_cmpeq_epi8(_mm256_max_epu8(selector, all(limit)), selector);
  };
  __m256i isConstant = atLeast(8);
  // Below 12 the sign, else whether the selector is 13 or more.
  __m256i isNegative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signs);
  __m256i ones = _mm256_blendv_epi8(isNegative, atLeast(13), atLeast(12));
  return _mm256_blendv_epi8(bytes, ones, isConstant);
}

/// The three sources of v_perm_b32.
struct PermSources {
  FLY_INLINE PermSources(const isa::Instruction &inst, WaveState &wave) {
    for (unsigned i = 0; i != 3; ++i)
      lanes[i] = wave.source(inst.src[i], 0, buffers[i]);
  }
  LaneBuffer buffers[3];
  const uint32_t *lanes[3];
};

} // namespace

FLY_TARGET_AVX2 void fly::sim::permBytesAvx2(const isa::Instruction &inst,
                                             WaveState &wave) {
  PermSources sources(inst, wave);
  uint64_t exec = wave.exec();
  uint32_t *out = wave.lanes(inst.dst[0]);
  constexpr unsigned half = blockLanes / 2;
  for (unsigned first = 0; first != waveLanes; first += blockLanes) {
    alignas(64) uint32_t block[blockLanes];
    for (unsigned part = 0; part != blockLanes; part += half) {
      auto load = [&](unsigned i) FLY_TARGET_AVX2 {
        return _mm256_loadu_si256(
            reinterpret_cast<const __m256i *>(sources.lanes[i] + first + part));
      };
      _mm256_store_si256(reinterpret_cast<__m256i *>(block + part),
                         permAvx2(load(0), load(1), load(2)));
    }
    storeBlock(out + first, block, uint32_t(exec >> first) & wholeBlock);
  }
}

FLY_TARGET_AVX512 void fly::sim::permBytesAvx512(const isa::Instruction &inst,
                                                 WaveState &wave) {
  PermSources sources(inst, wave);
  uint64_t exec = wave.exec();
  uint32_t *out = wave.lanes(inst.dst[0]);
  for (unsigned first = 0; first != waveLanes; first += blockLanes) {
    auto load = [&](unsigned i) FLY_TARGET_AVX512 {
      return _mm512_loadu_si512(sources.lanes[i] + first);
    };
    __m512i values = permAvx512(load(0), load(1), load(2));
    _mm512_mask_storeu_epi32(out + first, __mmask16(exec >> first), values);
  }
}

#else
// Never chosen: hosts of other kinds have the generic level alone.
void fly::sim::permBytesAvx2(const isa::Instruction &, WaveState &) {}
void fly::sim::permBytesAvx512(const isa::Instruction &, WaveState &) {}
#endif

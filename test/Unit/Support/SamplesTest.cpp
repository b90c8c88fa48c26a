// Medians and spreads worked out by hand.

#include "fly/Support/Samples.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace fly;

TEST(Samples, Median) {
  EXPECT_EQ(getMedian({3}), 3);
  EXPECT_EQ(getMedian({9, 1, 4}), 4);
  EXPECT_EQ(getMedian({9, 1, 4, 6}), 5);
  // One wild sample changes nothing; the mean would be 203.
  EXPECT_EQ(getMedian({4, 5, 1000, 3, 3}), 4);
  EXPECT_EQ(getMedian({1.7e308, 1.7e308}), 1.7e308);
}

TEST(Samples, SpreadIgnoresOutliers) {
  EXPECT_EQ(getSpread({5}), 0);
  EXPECT_EQ(getSpread({5, 5, 5}), 0);
  // Distances from 10: 2, 1, 0, 1, 990; their median is 1.
  EXPECT_NEAR(getSpread({8, 9, 10, 11, 1000}), 1.4826, 1e-12);
  // Normal quantiles at (i - 0.5) / 9 have, about, their deviation of 1.
  EXPECT_NEAR(getSpread({-1.593, -0.967, -0.589, -0.282, 0, 0.282, 0.589, 0.967,
                         1.593}),
              1, 0.15);
}

TEST(Samples, SpreadOfTiesIsNotNothing) {
  // Distances 0, 0, 2: three quarters keep 2.
  EXPECT_NEAR(getSpread({10, 10, 12}), 2 / 1.1503, 1e-12);
  EXPECT_NEAR(getSpread({10, 10, 10, 11, 13}), 1 / 1.1503, 1e-12);
  // One wild sample of many is one still.
  EXPECT_EQ(getSpread({5, 5, 5, 5, 5, 5, 50}), 0);
}

TEST(Samples, MedianErrorFallsWithSamples) {
  EXPECT_NEAR(getMedianError(2.0, 4), 1.2533, 1e-12);
  EXPECT_NEAR(getMedianError(2.0, 16), 1.2533 / 2, 1e-12);
  EXPECT_EQ(getMedianError(2.0, 0), 0);
  EXPECT_NEAR(getMedianError({8, 9, 10, 11, 1000}),
              1.2533 * 1.4826 / std::sqrt(5.0), 1e-12);
}

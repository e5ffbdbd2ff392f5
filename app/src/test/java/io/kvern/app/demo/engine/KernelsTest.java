package io.kvern.app.demo.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class KernelsTest {
    @Test
    void expIsWithinAFewUnitsOfTheLastPlace() {
        double worst = 0;
        for (float x = -86; x < 87; x += 0.0137f) {
            double exact = StrictMath.exp(x);
            worst = Math.max(worst, Math.abs(Kernels.exp(x) - exact) / Math.ulp((float) exact));
        }

        assertThat(worst).isLessThan(3);
        assertThat(Kernels.exp(0)).isEqualTo(1f);
    }

    @Test
    void expOfWhatIsOutOfRangeIsClamped() {
        assertThat(Kernels.exp(-1000)).isPositive().isLessThan(1e-37f);
        assertThat(Kernels.exp(Float.NEGATIVE_INFINITY)).isPositive().isLessThan(1e-37f);
        assertThat(Kernels.exp(1000)).isFinite().isGreaterThan(1e37f);
    }

    @Test
    void softmaxIsPositiveAndItsSumIsThatOfItsElements() {
        for (int count = 1; count < 40; count++) {
            float[] scores = random(count, 20);
            float[] before = scores.clone();

            float sum = Kernels.softmax(scores, count);

            double exact = 0;
            for (int i = 0; i < count; i++) {
                exact += scores[i];
                for (int j = 0; j < count; j++) {
                    assertThat(scores[i] > scores[j]).isEqualTo(before[i] > before[j]);
                }
            }
            assertThat((double) sum).isCloseTo(exact, within(1e-5 * exact));
        }
    }

    @Test
    void aProductIsTheSumInRowOrderBitForBit() {
        float[][] x = {random(24, 1), random(24, 1), random(24, 1)};
        float[][] w = new float[24][];
        for (int i = 0; i < w.length; i++) {
            w[i] = random(37, 1);
        }
        float[][] y = new float[3][37];

        Kernels.multiply(x, w, y, 1, 3);

        for (int t = 1; t < 3; t++) {
            for (int column = 0; column < 37; column++) {
                float sum = 0;
                for (int row = 0; row < w.length; row++) {
                    sum += x[t][row] * w[row][column];
                }
                assertThat(y[t][column]).isEqualTo(sum);
            }
        }
        assertThat(y[0]).containsOnly(0f);
    }

    @Test
    void theFirstOfTheGreatestIsChosen() {
        assertThat(Kernels.greatest(new float[] {-3, 2, 5, 5, 4})).isEqualTo(2);
    }

    private static float[] random(int length, float most) {
        float[] values = new float[length];
        Random random = new Random(length);
        for (int i = 0; i < length; i++) {
            values[i] = (2 * random.nextFloat() - 1) * most;
        }
        return values;
    }
}

/** Fits a conditional logistic regression: which of several candidates is right, from the values of their features. */

const ROUNDS = 400;
const LEARNING_RATE = 0.08;

export interface LabeledChoice {
  /** Style or progression. The choices of a group are left out together. */
  group: string;
  /** Weight relative to the other choices. */
  weight: number;
  /** Feature values of every candidate. */
  features: number[][];
  correctIndex: number;
}

/** Returns the probability of each candidate being the right one. */
export function computeProbabilities(features: readonly number[][], weights: readonly number[]): number[] {
  const scores = features.map((row) => row.reduce((sum, value, k) => sum + value * weights[k]!, 0));
  const best = Math.max(...scores);
  const parts = scores.map((score) => Math.exp(score - best));
  const total = parts.reduce((a, b) => a + b, 0);
  return parts.map((value) => value / total);
}

/** Returns the standard deviation of every feature between the candidates of a choice. */
function computeSpreads(choices: readonly LabeledChoice[]): number[] {
  return choices[0]!.features[0]!.map((_, k) => {
    let sum = 0;
    let count = 0;
    for (const { features } of choices) {
      const mean = features.reduce((all, row) => all + row[k]!, 0) / features.length;
      for (const row of features) sum += (row[k]! - mean) ** 2;
      count += features.length;
    }
    return Math.sqrt(sum / count) || 1;
  });
}

/** Returns one weight per feature, fitted by full-batch Adam. `ridge` is the cost of squared weights, so that no feature dominates. */
export function fitWeights(all: readonly LabeledChoice[], ridge: number): number[] {
  const spread = computeSpreads(all);
  const choices = all
    .filter(({ correctIndex }) => correctIndex >= 0)
    .map((choice) => ({ ...choice, features: choice.features.map((row) => row.map((value, k) => value / spread[k]!)) }));
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  const weights = spread.map(() => 0);
  const mean = spread.map(() => 0);
  const square = spread.map(() => 0);
  for (let round = 1; round <= ROUNDS; round++) {
    const gradient = weights.map((weight) => ridge * weight);
    for (const { features, correctIndex, weight } of choices) {
      for (const [c, probability] of computeProbabilities(features, weights).entries()) {
        const error = (probability - (c === correctIndex ? 1 : 0)) * (weight / total);
        for (const [k, value] of features[c]!.entries()) gradient[k]! += error * value;
      }
    }
    const rate = round > ROUNDS * 0.7 ? LEARNING_RATE / 5 : LEARNING_RATE;
    for (const [k, value] of gradient.entries()) {
      mean[k] = 0.9 * mean[k]! + 0.1 * value;
      square[k] = 0.99 * square[k]! + 0.01 * value * value;
      weights[k]! -= (rate * mean[k]) / (1 - 0.9 ** round) / (Math.sqrt(square[k] / (1 - 0.99 ** round)) + 1e-8);
    }
  }
  return weights.map((weight, k) => weight / spread[k]!);
}

/** Returns the weights fitted without each of `foldCount` shares of the groups in turn, with the choices that were left out. */
export function fitFolds<T extends LabeledChoice>(choices: readonly T[], ridge: number, foldCount: number): { weights: number[]; leftOut: T[] }[] {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return Array.from({ length: foldCount }, (_, fold) => {
    const leftOutGroups = new Set(groups.filter((_group, n) => n % foldCount === fold));
    return {
      weights: fitWeights(
        choices.filter(({ group }) => !leftOutGroups.has(group)),
        ridge,
      ),
      leftOut: choices.filter(({ group }) => leftOutGroups.has(group)),
    };
  });
}

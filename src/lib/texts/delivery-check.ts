import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  check: "Delivery check",
  noRules: "Your team has no delivery rules yet.",
  setRules: "Set delivery rules",
  editRules: "Edit rules",
  loudness: "Loudness",
  true_peak: "True peak",
  sample_rate: "Sample rate",
  bit_depth: "Bit depth",
  channels: "Channels",
  format: "Format",
  name: "File name",
  wanted: ", wanted {expected}",
  sentence: "{summary}. {reason}",
  notMeasured: "Not measured",
  isPassed: "Passed",
  isFailed: "Failed",
  passed: { one: "The check passes", other: "All {count} checks pass" },
  failed: "{failed} of {count} checks fail",
  unmeasured: "{unmeasured} of {count} not measured",
  pending: "Checked once the file is analyzed",
});

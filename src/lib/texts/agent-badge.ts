import { defineTexts } from "./define-texts.ts";

/** Texts that mark agents wherever their name is shown. */
export const t = defineTexts({
  agent: "Agent",
  named: "{name}, agent",
});

import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  browserOn: "{browser} on {system}",
  unknownBrowser: "Unknown browser",
});

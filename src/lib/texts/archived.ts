import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  isArchived: "This project is archived.",
});

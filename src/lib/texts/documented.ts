import { defineTexts } from "./define-texts.ts";

/** Names of records for which a service sends none. */
export const t = defineTexts({
  file: "File {id}",
  status: "Status {id}",
});

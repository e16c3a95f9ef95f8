import { t } from "../lib/texts/files.ts";

/** Follows a value that the analysis is not sure of: a question mark, or the word for screen readers. */
export function UnsureMark() {
  return (
    <>
      <span aria-hidden>?</span>
      <span className="sr-only">, {t("unsure")}</span>
    </>
  );
}

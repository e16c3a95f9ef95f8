import { copyToClipboard } from "../../lib/browser.ts";
import { t } from "../../lib/texts/message-text.ts";
import { describeError } from "../../queries/describe-error.ts";

/** Creates the functions by which actions on messages and comments report their results; `notify` shows a notice. */
export function createActionNotices(notify: (text: string, isError?: boolean) => void) {
  const copy = async (text: string, doneText: string) => {
    if (await copyToClipboard(text)) notify(doneText);
    else notify(t("notCopied", { text }), true);
  };
  return {
    /** Returns an error handler that shows what failed (`text`) and why. */
    failure: (text: string) => (error: unknown) => notify(`${text} ${describeError(error).title}`, true),
    copyText: (text: string) => void copy(text, t("textCopied")),
    /** Copies the URL of a path of this site. */
    copyLink: (path: string) => void copy(location.origin + path, t("linkCopied")),
  };
}

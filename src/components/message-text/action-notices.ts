import { useEffect, useRef } from "react";
import { copyToClipboard } from "../../lib/browser.ts";
import { t } from "../../lib/texts/message-text.ts";
import { describeError } from "../../queries/describe-error.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { announce } from "../../ui/announce.ts";

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

/** Announces each failure to send with the text. */
export function useFailureAnnouncements(entries: readonly OutboxEntry[], text: string): void {
  const failedCount = entries.filter(({ state }) => state === "failed").length;
  const previousCount = useRef(failedCount);
  useEffect(() => {
    if (failedCount > previousCount.current) announce(text);
    previousCount.current = failedCount;
  }, [failedCount, text]);
}

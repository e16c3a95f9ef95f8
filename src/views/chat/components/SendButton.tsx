import { ArrowUp } from "lucide-react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/chat.ts";

/** Sends the message; highlighted while there is something to send. */
export function SendButton({ ready }: { ready: boolean }) {
  return (
    <button
      type="submit"
      aria-label={t("send")}
      title={t("send")}
      aria-disabled={!ready}
      className={classes(
        "flex size-8 shrink-0 items-center justify-center rounded-md transition-colors max-tablet:size-9 max-tablet:rounded-full",
        ready ? "bg-accent text-accent-ink hover:brightness-105" : "bg-hover text-text-3",
      )}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  );
}

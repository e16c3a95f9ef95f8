import { ArrowUp, Smile } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { createPortal } from "react-dom";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { type AnchorRect, anchorRectOf } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { EmojiPicker } from "../emoji/EmojiPicker.tsx";

/** Inserts an emoji into the text; hidden for touch input, because on-screen keyboards have their own emoji. */
export function InsertEmoji({ onPick }: { onPick(emoji: string): void }) {
  const [at, setAt] = useState<AnchorRect | null>(null);
  return (
    <>
      <IconButton
        label={t("insertEmoji")}
        icon={Smile}
        iconSize={19}
        aria-haspopup="dialog"
        className="pointer-coarse:hidden"
        onClick={({ currentTarget }) => setAt(anchorRectOf(currentTarget))}
      />
      {at &&
        // Rendered outside the surrounding form, because Enter in the emoji search must not send the message.
        createPortal(<EmojiPicker at={at} onPick={onPick} onClose={() => setAt(null)} />, document.body)}
    </>
  );
}

/** Sends a message; highlighted while there is something to send. */
export function SendButton({ label, canSend = true, ...rest }: ComponentProps<"button"> & { label: string; canSend?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      data-tooltip={label}
      aria-disabled={!canSend}
      className={classNames(
        "flex size-8 shrink-0 items-center justify-center rounded-md transition-colors max-tablet:size-9 max-tablet:rounded-full",
        canSend ? "bg-accent text-accent-ink hover:brightness-105" : "bg-hover text-text-3",
      )}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  );
}

import { Smile } from "lucide-react";
import { Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { classNames } from "../../lib/class-names.ts";
import { t } from "../../lib/texts/message-text.ts";
import { type AnchorRect, anchorRectOf } from "../../ui/Floating.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { LazyEmojiPicker } from "./lazy-emoji-picker.tsx";

/** Inserts an emoji into the text; hidden for touch input, because on-screen keyboards have their own emoji. */
export function InsertEmoji({ onPick, className }: { onPick(emoji: string): void; className?: string }) {
  const [at, setAt] = useState<AnchorRect | null>(null);
  return (
    <>
      <IconButton
        label={t("insertEmoji")}
        icon={Smile}
        iconSize={19}
        aria-haspopup="dialog"
        className={classNames("pointer-coarse:hidden", className)}
        onClick={({ currentTarget }) => setAt(anchorRectOf(currentTarget))}
      />
      {at &&
        // Rendered outside the surrounding form, because Enter in the emoji search must not send the message.
        createPortal(
          <Suspense>
            <LazyEmojiPicker at={at} onPick={onPick} onClose={() => setAt(null)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}

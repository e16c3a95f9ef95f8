import { Smile } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../../lib/messages/chat.ts";
import { anchorRectOf, type AnchorRect } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

const EmojiPicker = lazy(async () => ({ default: (await import("./EmojiPicker.tsx")).EmojiPicker }));

/** Inserts an emoji into the text; hidden for touch input, because on-screen keyboards have their own emoji. */
export function InsertEmoji({ onPick }: { onPick(emoji: string): void }) {
  const [at, setAt] = useState<AnchorRect | null>(null);
  return (
    <>
      <IconButton
        label={t("insertEmoji")}
        aria-haspopup="dialog"
        className="pointer-coarse:hidden"
        onClick={({ currentTarget }) => setAt(anchorRectOf(currentTarget))}
      >
        <Smile size={19} aria-hidden />
      </IconButton>
      {at &&
        // Rendered outside the surrounding form, because Enter in the emoji search must not send the message.
        createPortal(
          <Suspense fallback={null}>
            <EmojiPicker at={at} onPick={onPick} onClose={() => setAt(null)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}

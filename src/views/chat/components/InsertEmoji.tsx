import { Smile } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../../../lib/messages/chat.ts";
import { anchorRectOf, type AnchorRect } from "../../../ui/Floating.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";

const EmojiPicker = lazy(async () => ({ default: (await import("./EmojiPicker.tsx")).EmojiPicker }));

/** Puts an emoji into the text. Not where fingers write: their keyboards have emoji of their own. */
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
        // Outside of the form that it stands in: Enter in its search must not send the message.
        createPortal(
          <Suspense fallback={null}>
            <EmojiPicker at={at} onPick={onPick} onClose={() => setAt(null)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}

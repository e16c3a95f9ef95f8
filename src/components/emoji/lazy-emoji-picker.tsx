import { t } from "../../lib/texts/message-text.ts";
import { Floating } from "../../ui/Floating.tsx";
import { lazyPart, PartNotLoaded } from "../lazy-part.tsx";

/** The picker of emoji, whose code loads when it first opens. */
export const LazyEmojiPicker = lazyPart(
  async () => (await import("./EmojiPicker.tsx")).EmojiPicker,
  ({ at, onClose }) => (
    <Floating label={t("insertEmoji")} anchor={at} onClose={onClose}>
      <PartNotLoaded onClose={onClose} />
    </Floating>
  ),
);

import { Send } from "lucide-react";
import type { KeyboardEvent } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { PHONE, useMedia } from "../../../ui/use-media.ts";
import { useCommentsRoom } from "./comments-room.ts";
import { MarkChip } from "./MarkChip.tsx";
import { bounded, versionOf } from "./model/moment.ts";
import { readyBody } from "./model/ready.ts";
import { placeWords } from "./words.ts";
import { WordsField } from "./WordsField.tsx";

/** Where one writes a comment, and sees which moment it is about. */
export function Composer() {
  const { clock, version, draft, composer, typed, mark, left, send } = useCommentsRoom();
  const phone = useMedia(PHONE);
  const body = readyBody(draft.text);
  const onKey = ({ key, altKey, code, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || !altKey || !clock || (code !== "KeyI" && code !== "KeyO")) return false;
    mark((before) => bounded(before, code === "KeyI" || key === "i" ? "in" : "out", clock.state().position));
    return true;
  };
  const place = () => {
    if (draft.mark.kind === "at") {
      const { at, end } = draft.mark;
      return end === null ? t("composeAt", { time: placeWords(at, null) }) : t("composeRange", { from: placeWords(at, null), to: placeWords(end, null) });
    }
    return t(clock && draft.mark.kind === "none" ? "composeWhole" : "compose");
  };
  const meant = versionOf(draft.mark, version);
  const label = meant === version ? place() : `${place()}, ${t("ofVersion", { number: meant })}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only keeps the focus where it is
    <form
      className="mt-3"
      // A press on a button leaves the field as it is: what it is about would change under the press.
      onMouseDown={(event) => (event.target as Element).closest("button") && event.preventDefault()}
      onSubmit={(event) => {
        event.preventDefault();
        if (body === null) return;
        send(body);
        composer.current?.focus();
      }}
    >
      <WordsField
        field={composer}
        label={label}
        placeholder={t(clock && !phone ? "placeholder" : "placeholderPlain")}
        text={draft.text}
        onText={typed}
        onSubmit={send}
        onLeave={() => composer.current?.blur()}
        onBlur={left}
        onKey={onKey}
        before={(clock || draft.mark.kind === "at") && <MarkChip clock={clock} />}
        after={
          cleanDraft(draft.text) === "" ? (
            clock && (
              <span aria-hidden className="max-tablet:hidden pointer-coarse:hidden">
                <Kbd>M</Kbd>
              </span>
            )
          ) : (
            <IconButton type="submit" label={t("send")} aria-disabled={body === null} className="text-accent-text">
              <Send size={18} aria-hidden />
            </IconButton>
          )
        }
      />
    </form>
  );
}

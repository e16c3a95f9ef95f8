import { Send } from "lucide-react";
import type { KeyboardEvent } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { cleanDraft } from "../../../parts/message-text/draft.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { PHONE, useMediaQuery } from "../../../ui/use-media.ts";
import { useCommentsContext } from "./comments-room.ts";
import { AnchorChip } from "./MarkChip.tsx";
import { withAnchorEdge, resolveVersion } from "./model/moment.ts";
import { toSendableBody } from "./model/ready.ts";
import { formatAnchor } from "./words.ts";
import { CommentTextArea } from "./WordsField.tsx";

/** Renders the composer for a new comment and shows the comment anchor. */
export function Composer() {
  const { clock, version, draft, composerRef, setText, mark, handleBlur, send } = useCommentsContext();
  const isPhone = useMediaQuery(PHONE);
  const body = toSendableBody(draft.text);
  const onKey = ({ key, altKey, code, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || !altKey || !clock || (code !== "KeyI" && code !== "KeyO")) return false;
    mark((previous) => withAnchorEdge(previous, code === "KeyI" || key === "i" ? "in" : "out", clock.state().position));
    return true;
  };
  const getLabel = () => {
    if (draft.mark.kind === "at") {
      const { at, end } = draft.mark;
      return end === null ? t("composeAt", { time: formatAnchor(at, null) }) : t("composeRange", { from: formatAnchor(at, null), to: formatAnchor(end, null) });
    }
    return t(clock && draft.mark.kind === "none" ? "composeWhole" : "compose");
  };
  const targetVersion = resolveVersion(draft.mark, version);
  const label = targetVersion === version ? getLabel() : `${getLabel()}, ${t("ofVersion", { number: targetVersion })}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only keeps the focus where it is
    <form
      className="mt-3"
      // Pressing a button must not blur the text area, because a blur can change the anchor before the click lands.
      onMouseDown={(event) => (event.target as Element).closest("button") && event.preventDefault()}
      onSubmit={(event) => {
        event.preventDefault();
        if (body === null) return;
        send(body);
        composerRef.current?.focus();
      }}
    >
      <CommentTextArea
        field={composerRef}
        label={label}
        placeholder={t(clock && !isPhone ? "placeholder" : "placeholderPlain")}
        text={draft.text}
        onChange={setText}
        onSubmit={send}
        onEscape={() => composerRef.current?.blur()}
        onBlur={handleBlur}
        onKey={onKey}
        leading={(clock || draft.mark.kind === "at") && <AnchorChip clock={clock} />}
        trailing={
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

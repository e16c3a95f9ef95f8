import { MoveHorizontal, Send, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { checkUploads } from "../../../components/uploads/MessageUploads.tsx";
import { formatTenths } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/comments.ts";
import { checkText } from "../../../sync/drafts/draft-text.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Kbd } from "../../../ui/Kbd.tsx";
import { PHONE, useMediaQuery, useWidth } from "../../../ui/responsive.ts";
import { submitTo } from "../../../ui/text-input.ts";
import { MIN_RANGE_MS, resolveVersion, withAnchorEdge } from "./anchor.ts";
import { CommentTextArea } from "./CommentForms.tsx";
import { type FileComments, useFileComments } from "./CommentsProvider.tsx";
import { formatAnchor } from "./format.ts";
import { useCommentFiles } from "./use-comment-files.ts";
import { type CommentPlayback, usePlaybackValue } from "./playback.ts";

/** Width in CSS pixels from which the field has room for the long placeholder beside a range. */
const PLACEHOLDER_WIDTH_PX = 520;

const CHIP_CLASS = "tabular inline-flex h-7 shrink-0 items-center rounded-sm font-semibold whitespace-nowrap";
const PART_CLASS = "inline-flex h-full min-w-6 items-center justify-center hover:brightness-110";

export function Composer() {
  const { fileId, projectId, playback, version, draft, composerRef, setText, setAnchor, handleBlur, send } = useFileComments();
  const files = useCommentFiles(projectId, `file.${fileId}`);
  const { uploads } = files;
  const form = useRef<HTMLFormElement>(null);
  const isNarrow = useWidth(form) < PLACEHOLDER_WIDTH_PX;
  const isPhone = useMediaQuery(PHONE);
  const { body, isEmpty, isReady: isTextReady } = checkText(draft, uploads.length > 0);
  const isReady = isTextReady && checkUploads(uploads).canSend;
  const onKey = ({ key, altKey, code, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || !altKey || !playback || (code !== "KeyI" && code !== "KeyO")) return false;
    setAnchor((previous) => withAnchorEdge(previous, code === "KeyI" || key === "i" ? "start" : "end", playback.state().position));
    return true;
  };
  const getLabel = () => {
    if (draft.anchor.kind === "at") {
      const { startMs, endMs } = draft.anchor;
      return endMs === null
        ? t("composeAt", { time: formatAnchor(startMs, null) })
        : t("composeRange", { from: formatAnchor(startMs, null), to: formatAnchor(endMs, null) });
    }
    return t(playback && draft.anchor.kind === "none" ? "composeWhole" : "compose");
  };
  const targetVersion = resolveVersion(draft.anchor, version);
  const label = targetVersion === version ? getLabel() : `${getLabel()}, ${t("ofVersion", { number: targetVersion })}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only observe the focus
    <form
      ref={form}
      className="mt-3 max-w-240"
      // Pressing a button must not blur the text area, because a blur can change the anchor before the click lands.
      onMouseDown={(event) => (event.target as Element).closest("button") && event.preventDefault()}
      onBlur={({ currentTarget, relatedTarget }) => {
        // The focus also stays in the form while the system's file dialog or another window is in front.
        if (!currentTarget.contains(relatedTarget) && !currentTarget.contains(document.activeElement)) handleBlur();
      }}
      onSubmit={submitTo(() => {
        if (!isReady) return;
        send(body);
        composerRef.current?.focus();
      })}
    >
      <CommentTextArea
        field={composerRef}
        label={label}
        placeholder={t(playback && !isPhone && !isNarrow ? "placeholder" : "placeholderPlain")}
        projectId={projectId}
        draft={draft}
        files={files}
        onChange={setText}
        onEscape={() => composerRef.current?.blur()}
        onKey={onKey}
        leading={(playback || draft.anchor.kind === "at") && <AnchorChip />}
        trailing={
          isEmpty ? (
            playback && (
              <span aria-hidden className="max-tablet:hidden pointer-coarse:hidden">
                <Kbd>M</Kbd>
              </span>
            )
          ) : (
            <IconButton type="submit" label={t("send")} icon={Send} aria-disabled={!isReady} className="text-accent-text" />
          )
        }
      />
    </form>
  );
}

/** Shows the anchor of the draft. Follows the playback position until text is entered or an anchor is chosen. */
function AnchorChip() {
  const { playback, version, draft } = useFileComments();
  const setAnchor = useSetAnchor();
  const { anchor } = draft;
  const targetVersion = resolveVersion(anchor, version);
  if (anchor.kind === "at") {
    return (
      <span className={`${CHIP_CLASS} bg-accent-soft pl-2 text-accent-text`}>
        {formatAnchor(anchor.startMs, anchor.endMs)}
        {targetVersion !== version && <span className="pl-1.5 font-normal">{t("ofVersion", { number: targetVersion })}</span>}
        {playback && (draft.text !== "" || draft.hasFiles) && <RangeEndButton playback={playback} startMs={anchor.startMs} hasEnd={anchor.endMs !== null} />}
        <button
          type="button"
          aria-label={t("removeTimestamp")}
          data-tooltip={t("removeTimestamp")}
          onClick={() => setAnchor(() => ({ kind: "none" }))}
          className={`${PART_CLASS} pr-0.5`}
        >
          <X size={14} aria-hidden />
        </button>
      </span>
    );
  }
  return playback && <CurrentPosition playback={playback} isFollowing={anchor.kind === "follow"} />;
}

/** Shows the playback position. For a comment on the whole file, renders a button that anchors the comment at the current position. */
function CurrentPosition({ playback, isFollowing }: { playback: CommentPlayback; isFollowing: boolean }) {
  const setAnchor = useSetAnchor();
  const time = usePlaybackValue(playback, formatTenths);
  if (isFollowing) return <span className={`${CHIP_CLASS} bg-accent-soft px-2 text-accent-text`}>{time}</span>;
  return (
    <button
      type="button"
      aria-label={t("addTimestamp", { time })}
      data-tooltip={t("addTimestamp", { time })}
      onClick={() => setAnchor(() => withAnchorEdge({ kind: "follow" }, "start", playback.state().position))}
      className={`${CHIP_CLASS} border border-dashed border-line-strong px-2 text-text-2 hover:text-text`}
    >
      {t("timestamp", { time })}
    </button>
  );
}

/** Ends the range at the playback position, for users without a keyboard. Appears once playback has moved away from the anchor. */
function RangeEndButton({ playback, startMs, hasEnd }: { playback: CommentPlayback; startMs: number; hasEnd: boolean }) {
  const setAnchor = useSetAnchor();
  const time = usePlaybackValue(playback, (seconds) => (!hasEnd && Math.abs(seconds * 1_000 - startMs) >= 10 * MIN_RANGE_MS ? formatTenths(seconds) : null));
  if (time === null) return null;
  return (
    <button
      type="button"
      aria-label={t("endRange", { time })}
      data-tooltip={t("endRange", { time })}
      onClick={() => setAnchor((previous) => withAnchorEdge(previous, "end", playback.state().position))}
      className={`${PART_CLASS} ml-1`}
    >
      <MoveHorizontal size={14} aria-hidden />
    </button>
  );
}

/** Sets the anchor and focuses the composer, because the pressed button disappears with the change. */
function useSetAnchor(): FileComments["setAnchor"] {
  const { setAnchor, composerRef } = useFileComments();
  return (update) => {
    setAnchor(update);
    composerRef.current?.focus();
  };
}

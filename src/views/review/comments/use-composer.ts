import { useEffect, useEffectEvent, useRef } from "react";
import { useClient } from "../../../client/client.ts";
import { type EditableText, type Mention, shiftMentions } from "../../../sync/drafts/draft-text.ts";
import { type CommentAnchor, type CommentDraft, useCommentDraft } from "../../../sync/drafts/use-comment-draft.ts";
import { useUploadTray } from "../../../sync/uploads/use-uploads.ts";
import {
  prependDraft,
  closeDraft,
  openDraft,
  type PlaybackPosition,
  resolveAnchor,
  rangeAnchor,
  withFiles,
  withVersion,
  withText,
  resolveVersion,
} from "./anchor.ts";
import { formatAnchor } from "./format.ts";
import { readPosition } from "./playback.ts";
import type { CommentedFile } from "./use-threads.ts";

export function useComposer({ fileId, projectId, version, playback }: CommentedFile, accountId: number) {
  const [draft, { current: getDraft, change: updateDraft, onSent }] = useCommentDraft(`file.${fileId}`);
  const { add, whenStored } = useClient().outbox;
  const { uploads } = useUploadTray(accountId, projectId, `file.${fileId}`);
  const composerRef = useRef<HTMLTextAreaElement>(null);
  const updateVersioned = (update: (previous: CommentDraft) => CommentDraft) => updateDraft((previous) => withVersion(previous, update(previous), version));
  const hasFiles = uploads.length > 0;
  const hadFiles = useRef(false);
  const onFilesChange = useEffectEvent(() => {
    // After a reload, a draft knows of its files before their uploads are loaded.
    const isLoading = !hasFiles && !hadFiles.current;
    hadFiles.current = hasFiles;
    if (!isLoading && getDraft().hasFiles !== hasFiles) updateVersioned((previous) => withFiles(previous, hasFiles, playback && readPosition(playback)));
  });
  useEffect(() => onFilesChange(), [hasFiles]);
  const focusComposer = () => {
    composerRef.current?.focus();
    composerRef.current?.scrollIntoView({ block: "nearest" });
  };
  return {
    draft,
    composerRef,
    uploads,
    /** `addedMentions` are those that the change adds. */
    setText: (text: string, addedMentions: readonly Mention[] = []) =>
      updateVersioned((previous) => {
        const mentions = [...shiftMentions(previous.mentions, previous.text, text), ...addedMentions];
        return { ...(playback ? withText(previous, text, readPosition(playback)) : { ...previous, text }), mentions };
      }),
    setAnchor: (change: (anchor: CommentAnchor) => CommentAnchor) => updateVersioned((previous) => ({ ...previous, anchor: change(previous.anchor) })),
    /** Releases an automatic anchor if the composer loses the focus without text and files. */
    handleBlur: () => updateVersioned((previous) => closeDraft({ ...previous, hasFiles })),
    /** Focuses the composer and anchors an unanchored draft at the selection in seconds, or at the playback position without one. */
    compose(selection: PlaybackPosition["loop"] = null) {
      if (playback) updateVersioned((previous) => openDraft(previous, { ...readPosition(playback), ...(selection && { loop: selection }) }));
      focusComposer();
    },
    /** Focuses the composer and anchors the draft at the given range in milliseconds. */
    composeRange(from: number, to: number) {
      updateVersioned((previous) => ({ ...previous, anchor: rangeAnchor(from, to) }));
      focusComposer();
    },
    /** Puts a pending comment back into the composer together with its anchor. */
    restoreDraft({ text, mentions }: EditableText, anchor: CommentAnchor) {
      updateDraft((previous) =>
        prependDraft(previous, { text, mentions: [...mentions], anchor }, anchor.kind === "at" ? formatAnchor(anchor.startMs, anchor.endMs) : null),
      );
      focusComposer();
    },
    /** Sends the comment and returns its key in the list. */
    send(body: string): string {
      const { anchor } = getDraft();
      const targetVersion = resolveVersion(anchor, version);
      // Only the service knows the duration of another version, so 0 disables clamping. Without playback, only a chosen time applies.
      const durationMs = playback && targetVersion === version ? playback.duration * 1_000 : 0;
      const { startMs, endMs } =
        playback || anchor.kind === "at" ? resolveAnchor(anchor, playback?.state().position ?? 0, durationMs) : { startMs: null, endMs: null };
      const comment = { fileId, version: targetVersion, at: startMs, end: endMs, parentId: null };
      const { clientId } = add({ projectId, accountId, body, uploads: uploads.map(({ id }) => id), quote: null, comment });
      onSent(whenStored(clientId));
      return `${accountId}:${clientId}`;
    },
  };
}

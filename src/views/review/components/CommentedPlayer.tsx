import type { Viewport } from "../model/viewport.ts";
import { CommentTimeline } from "../comments/CommentLane.tsx";
import { useOptionalCommentsContext } from "../comments/comments-room.ts";
import { PlayerPage, type PlayerProps } from "./PlayerPage.tsx";

const renderComments = (view: Viewport) => <CommentTimeline view={view} />;

/** A sound or a film with its comments under the lane. */
export function CommentedPlayer(props: PlayerProps) {
  const commentsContext = useOptionalCommentsContext();
  return <PlayerPage {...props} renderBelowWaveform={commentsContext ? renderComments : undefined} onComment={commentsContext?.compose} />;
}

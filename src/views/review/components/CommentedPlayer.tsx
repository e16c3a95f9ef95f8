import type { Viewport } from "../model/viewport.ts";
import { CommentTimeline } from "../comments/CommentLane.tsx";
import { useOptionalCommentsContext } from "../comments/comments-room.ts";
import { PlayerPage, type PlayerProps } from "./PlayerPage.tsx";

const renderComments = (view: Viewport) => <CommentTimeline view={view} />;

/** Renders the player of an audio or video file with its comments under the waveform. */
export function CommentedPlayer(props: PlayerProps) {
  const commentsContext = useOptionalCommentsContext();
  return <PlayerPage {...props} renderBelowWaveform={commentsContext ? renderComments : undefined} onComment={commentsContext?.compose} />;
}

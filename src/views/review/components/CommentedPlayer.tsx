import type { Viewport } from "../model/viewport.ts";
import { CommentLane } from "../comments/CommentLane.tsx";
import { useMaybeComments } from "../comments/comments-room.ts";
import { PlayerPage, type PlayerProps } from "./PlayerPage.tsx";

const underLane = (view: Viewport) => <CommentLane view={view} />;

/** A sound or a film with its comments under the lane. */
export function CommentedPlayer(props: PlayerProps) {
  const room = useMaybeComments();
  return <PlayerPage {...props} underLane={room ? underLane : undefined} onComment={room?.compose} />;
}

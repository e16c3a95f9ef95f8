/** Provides the position for screen readers. It changes only on a seek or at rest, so that announcements do not interrupt playback. */

/** A position change of at most this many seconds between two reads counts as continuous playback. */
const MAX_PLAYBACK_STEP_SECONDS = 0.6;

/** Returns a function that reads the announced position. */
export function createAnnouncedPosition(trackController: { state(): { playing: boolean; position: number } }): () => number {
  let { position: announced } = trackController.state();
  let lastPosition = announced;
  return () => {
    const { playing, position } = trackController.state();
    const isContinuous = playing && position >= lastPosition && position - lastPosition <= MAX_PLAYBACK_STEP_SECONDS;
    lastPosition = position;
    if (!isContinuous) announced = position;
    return announced;
  };
}

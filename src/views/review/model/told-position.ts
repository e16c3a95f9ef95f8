/** The position as a screen reader is told it: where the sound was sought or rests. While it goes on by itself nothing is said over it. */

/** Seconds from one look to the next that the sound may have gone by itself. */
const MAX_PLAYBACK_STEP_SECONDS = 0.6;

/** Answers what reads it now. */
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

/** The position as a screen reader is told it: where the sound was sought or rests. While it goes on by itself nothing is said over it. */

/** Seconds from one look to the next that the sound may have gone by itself. */
const STEP_SECONDS = 0.6;

/** Answers what reads it now. */
export function toldPosition(deck: { state(): { playing: boolean; position: number } }): () => number {
  let { position: told } = deck.state();
  let last = told;
  return () => {
    const { playing, position } = deck.state();
    const went = playing && position >= last && position - last <= STEP_SECONDS;
    last = position;
    if (!went) told = position;
    return told;
  };
}

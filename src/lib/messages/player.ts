import { defineMessages } from "./define.ts";

export const t = defineMessages({
  miniPlayer: "Player",
  play: "Play {name}",
  pause: "Pause {name}",
  openFile: "Open {name}",
  seek: "Position in {name}",
  close: "Close the player",
  positionOf: "{position} of {duration}",
  faultNetwork: "The connection broke while the sound was loading. Play again to go on.",
  faultGone: "The file is not there any more, or you are no longer in its project.",
  faultFormat: "The sound cannot be played: it could not be loaded, or this browser does not know its format. Download it to listen.",
  faultDamaged: "The sound cannot be played on: its data is damaged. Download it to look into it.",
});

import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  miniPlayer: "Player",
  play: "Play {name}",
  pause: "Pause {name}",
  openFile: "Open {name}",
  seek: "Position in {name}",
  close: "Close player",
  speed: "Speed: {rate}×",
  rate: "{rate}×",
  mute: "Mute",
  unmute: "Unmute",
  volume: "Volume",
  percent: "{percent}%",
  positionOf: "{position} of {duration}",
  errorNetwork: "The connection was lost while loading. Press play to try again.",
  errorUnavailable: "This file was deleted, or you no longer have access.",
  errorFormat: "The file couldn't be loaded, or this browser doesn't support its format. Download it to play it.",
  errorTooLarge: "This file is too large to play here with an access token. Download it to play it.",
  errorDamaged: "Playback stopped because the file is damaged. Download it to check it.",
});

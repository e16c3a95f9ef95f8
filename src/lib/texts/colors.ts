import { defineTexts } from "./define-texts.ts";

export const t = defineTexts({
  color: "Color",
  hue0: "Indigo",
  hue1: "Blue",
  hue2: "Cyan",
  hue3: "Teal",
  hue4: "Green",
  hue5: "Lime",
  hue6: "Yellow",
  hue7: "Amber",
  hue8: "Orange",
  hue9: "Red",
  hue10: "Pink",
  hue11: "Purple",
});

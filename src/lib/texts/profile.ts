import { defineTexts } from "./define-texts.ts";

/** Texts of the picture, the time zone and the working hours on the profile page. */
export const t = defineTexts({
  upload: "Upload picture",
  change: "Change picture",
  remove: "Remove picture",
  pictureHint: "PNG, JPEG, GIF, WebP or AVIF.",
  pictureSaved: "Picture saved.",
  pictureRemoved: "Picture removed.",
  unreadable: "This file isn't a picture that your browser can open.",

  cropTitle: "Position your picture",
  cropHelp: "Drag to move, or use the arrow keys. Zoom with + and −.",
  cropArea: "Position of the picture",
  zoom: "Zoom",
  save: "Save picture",

  place: "Time and region",
  placeLead: "Others see your local time. Dates, times and due dates follow your time zone.",
  timeZone: "Time zone",
  notSet: "Not set",
  useBrowserZone: "Use {zone}, as in this browser",
  format: "Date and number format",
  asBrowser: "As in the browser ({sample})",
  formatOption: "{region} ({sample})",
  hours: "Set working hours",
  hoursHint: "Outside of them, others see a note before they mention you.",
  hoursNeedZone: "Choose a time zone first.",
  days: "Working days",
  start: "From",
  end: "To",
  overnight: "Until the next day.",
  savePlace: "Save time and region",
  saved: "Saved.",
});

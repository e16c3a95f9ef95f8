import { defineTexts } from "./define-texts.ts";

/** Texts of the buttons that add and remove favorites, which the first page shows. */
export const t = defineTexts({
  add: "Add to favorites",
  remove: "Remove from favorites",
  added: "Added to favorites",
  removed: "Removed from favorites",
  notChanged: "Couldn't change your favorites.",
  isFavorite: "Favorite",
});

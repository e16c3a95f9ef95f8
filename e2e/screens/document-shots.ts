/** Lists the screenshots of documents: drawn pages of a PDF, its text, and results of the search in documents. */
import type { Page } from "@playwright/test";
import { entry } from "../fixtures/files-view.ts";
import { fullShot, main, type Scene, type Shot } from "./shot.ts";

const NOTES = "Nightdrive session notes.pdf";
const notesInList = ({ projectId }: Scene) => `/projects/${projectId}/files?q=session+notes`;
const drawnPage = (page: Page) => page.locator("[data-drawn=true] canvas").first();
const openNotes = (page: Page) => entry(page, NOTES).getByRole("link", { name: NOTES }).click();

export const DOCUMENT_SHOTS: Shot[] = [
  fullShot("file-pdf", notesInList, drawnPage, { act: openNotes }),
  fullShot("file-pdf-found", notesInList, (page) => page.locator("mark").first(), {
    async act(page) {
      await openNotes(page);
      await drawnPage(page).waitFor();
      await page.getByLabel("Find in this document").fill("bass");
      await page.keyboard.press("Enter");
    },
  }),
  fullShot("file-pdf-text", notesInList, (page) => main(page).getByText("Page 1 of 2"), {
    async act(page) {
      await openNotes(page);
      await page.getByRole("button", { name: "Show text" }).first().click();
    },
  }),
  fullShot(
    "search-documents",
    () => "/search?q=bass&kind=document",
    (page) => main(page).getByText(NOTES).first(),
  ),
];

/** Lists the screenshots of the search page and of the palette with results of the service. */
import type { Page } from "@playwright/test";
import { ana, chatPath, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, skeleton, type Shot } from "./shot.ts";

const SEARCH = "**/api/v2/search?*";
const result = (page: Page) => main(page).getByRole("listitem").first();
const searchPath = (query: string) => fixedPath(`/search?${query}`);
const filters = (page: Page) => page.getByRole("button", { name: /^Filters/ });

export const SEARCH_SHOTS: Shot[] = [
  fullShot("search", searchPath("q=nightdrive"), result),
  fullShot("search-files", searchPath("q=mix&kind=file"), result),
  fullShot("search-messages", searchPath("q=the&kind=message"), result),
  fullShot("search-filters", searchPath("q=mix&from=2026-01-01"), (page) => page.getByLabel("Since"), {
    act: async (page) => {
      await result(page).waitFor();
      if ((await filters(page).isVisible()) && (await filters(page).getAttribute("aria-expanded")) === "false") await filters(page).click();
    },
  }),
  { view: "search", state: "start", as: ana, path: fixedPath("/search"), ready: (page) => page.getByText("Find anything") },
  {
    view: "search",
    state: "none",
    as: ana,
    path: searchPath("q=kontrabassklarinette&from=2026-01-01"),
    ready: (page) => page.getByRole("button", { name: "Clear filters" }),
  },
  { view: "search", state: "loading", as: ana, path: searchPath("q=mix"), before: neverRespond(SEARCH), ready: skeleton },
  { view: "search", state: "error", as: ana, path: searchPath("q=mix"), before: failRequests(SEARCH), ready: retryButton },
  fullShot("palette-search", chatPath, (page) => page.getByRole("option", { name: /nightdrive_mix/ }).first(), {
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("mix");
    },
  }),
];

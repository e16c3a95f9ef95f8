/** Screenshots of the views for a service that has only the operations of the service document. */
import type { Page, Route } from "@playwright/test";
import { createOddRecords, ODD_FILES, ODD_PROJECT } from "../fixtures/documented-service/odd-records.ts";
import { createRecords, EMPTY_PROJECT, FILES, LONG_PROJECT, PROJECT, type Records } from "../fixtures/documented-service/records.ts";
import { type DocumentedService, ROUTES, startDocumentedService } from "../fixtures/documented-service/service.ts";
import { main, retryButton, signedOut, type Shot } from "./shot.ts";

/** Path under which this page's origin serves the media, because the security policy allows no other origin. */
const MEDIA_PATH = "/documented-media/";

/** Answers the page's requests from such a service, as if it served the page. */
const serveFrom =
  (create: (mediaUrl: (name: string) => string) => Records, prepare: (service: DocumentedService) => void = () => {}) =>
  async (page: Page) => {
    const service = await startDocumentedService({ createRecords: () => create((name) => MEDIA_PATH + name) });
    prepare(service);
    page.on("close", () => void service.close());
    const forward = (toPath: (path: string) => string) => async (route: Route) => {
      const request = route.request();
      const headers = { ...(await request.allHeaders()), authorization: `Bearer ${service.token}` };
      const url = service.baseUrl + toPath(new URL(request.url()).pathname);
      const response = await route.fetch({ url, headers });
      await route.fulfill({ response });
    };
    const forwardSame = forward((path) => path);
    await page.route("**/v1/**", forwardSame);
    await page.route("**/api/v2/**", forwardSame);
    await page.route(
      `**${MEDIA_PATH}*`,
      forward((path) => ROUTES.media + path.slice(MEDIA_PATH.length)),
    );
  };
const documented = serveFrom(createRecords);
const odd = serveFrom(createOddRecords);
const failing = (failure: 401 | 403 | 500) =>
  serveFrom(createRecords, (service) => {
    service.setFailure("chatHistory", failure);
    service.setFailure("fileInfo", failure);
  });

const chat = (state: string, projectId: number, before: Shot["before"], ready: Shot["ready"]): Shot => ({
  view: "documented-chat",
  state,
  as: signedOut,
  path: () => `/projects/${projectId}/chat`,
  before,
  ready,
});
const file = (state: string, fileId: number, before: Shot["before"] = documented, ready: Shot["ready"] = aboutFile): Shot => ({
  view: "documented-file",
  state,
  as: signedOut,
  path: () => `/files/${fileId}`,
  before,
  ready,
});
const aboutFile = (page: Page) => page.getByRole("heading", { name: "About this file" });

export const DOCUMENTED_SHOTS: readonly Shot[] = [
  chat("full", PROJECT, documented, (page) => page.getByText("Stems for the label")),
  chat("empty", EMPTY_PROJECT, documented, (page) => page.getByText("No messages yet")),
  chat("long", LONG_PROJECT, documented, (page) => page.getByText("Note 130")),
  chat("odd", ODD_PROJECT, odd, (page) => page.getByText("The last one.")),
  chat("missing", 999, documented, retryButton),
  chat("token", PROJECT, failing(401), retryButton),
  chat("failed", PROJECT, failing(500), retryButton),
  { ...chat("invalid", 1, documented, (page) => main(page).getByRole("link", { name: "Open another" })), path: () => "/projects/mix/chat" },
  file("audio", FILES.mix),
  file("draft", FILES.draft),
  file("video", FILES.video),
  file("image", FILES.image),
  file("document", FILES.document),
  file("shared", FILES.shared),
  file("two-values", ODD_FILES.shortWave, odd),
  file("500000-values", ODD_FILES.hugeWave, odd),
  file("bare", ODD_FILES.bare, odd),
  file("unknown-kind", ODD_FILES.unknownKind, odd),
  file("beyond-1", ODD_FILES.beyondRange, odd),
  file("missing", 999, documented, retryButton),
  file("not-allowed", FILES.mix, failing(403), retryButton),
];

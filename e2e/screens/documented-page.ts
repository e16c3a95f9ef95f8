/** Shows pages that are connected to a service with only the operations of the service document. */
import type { Page } from "@playwright/test";
import { addServiceOrigin, serviceOriginsCookie } from "../../contract/service-origins.ts";
import { createRecords, type Records } from "../fixtures/documented-service/records.ts";
import { type DocumentedService, ROUTES, startDocumentedService } from "../fixtures/documented-service/service.ts";
import type { Scene } from "./shot.ts";

/** Address of the service in the pictures. */
export const STUDIO_URL = "https://studio.example";
/** The token that the service accepts. */
export const STUDIO_TOKEN = "documented-access-token";

interface StudioOptions {
  create?: (mediaUrl: (name: string) => string) => Records;
  /** Runs once the service has started. */
  prepare?: (service: DocumentedService) => void;
}

const services = new WeakMap<Page, DocumentedService>();

/** Returns the service that a page is connected to. */
export function studioOf(page: Page): DocumentedService {
  const service = services.get(page);
  if (!service) throw new Error("This page is connected to no service.");
  return service;
}

/** Starts the service until the page closes, and forwards the page's requests to it. */
export async function serveStudio(page: Page, { create = createRecords, prepare }: StudioOptions = {}): Promise<void> {
  const service = await startDocumentedService({ createRecords: () => create((name) => STUDIO_URL + ROUTES.media + name) });
  services.set(page, service);
  prepare?.(service);
  page.on("close", () => void service.close());
  await page.route(`${STUDIO_URL}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const response = await route.fetch({ url: service.baseUrl + pathname }).catch(() => null);
    // A request without a response ends with the page.
    if (response) await route.fulfill({ response });
  });
}

/** Connects the page to the service, for this tab or on this device. */
export const connectToStudio =
  ({
    token = STUDIO_TOKEN,
    storage = "sessionStorage",
    ...options
  }: StudioOptions & { token?: string | null; storage?: "sessionStorage" | "localStorage" } = {}) =>
  async (page: Page, { ana }: Pick<Scene, "ana">): Promise<void> => {
    await serveStudio(page, options);
    await storeConnection(page, ana.url, token, storage);
  };

/** Makes pages of `ownUrl` use the service at the address. */
export async function storeConnection(
  page: Page,
  ownUrl: string,
  token: string | null,
  storage: "sessionStorage" | "localStorage" = "sessionStorage",
): Promise<void> {
  await page.context().addCookies([{ name: serviceOriginsCookie(false), value: addServiceOrigin("", STUDIO_URL), url: ownUrl }]);
  await page.addInitScript(([area, text]) => window[area].setItem("talkback.connection", text), [
    storage,
    JSON.stringify({ baseUrl: STUDIO_URL, ...(token === null ? {} : { token }) }),
  ] as const);
}

/** Every way in which a server may respond to `GET /api/v2/service` leads to a usable client or to a sentence about it. */
import type { Page } from "@playwright/test";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { chatPath, expect, test } from "../../fixtures/documented-pages.ts";
import { PROJECT } from "../../fixtures/documented-service/records.ts";
import type { DescriptionResponse } from "../../fixtures/documented-service/service.ts";
import { message } from "../../fixtures/pages.ts";

/** Stands for the origin of the page, whose service allows no request that a redirect of another origin leads to it. */
const PAGE_ORIGIN = "https://page.example";
const json = (value: unknown, status = 200): DescriptionResponse => ({ status, body: JSON.stringify(value) });
const html = (status: number): DescriptionResponse => ({ status, headers: { "content-type": "text/html" }, body: "<!doctype html><h1>Welcome</h1>" });
const description = { name: "Other", version: "1", features: ["chat"] as unknown, limits: {}, setup_required: false };

/** Responses after which the service has exactly the documented operations. */
const RESPONSES: readonly [name: string, response: DescriptionResponse][] = [
  ["401", json({}, 401)],
  ["403", json({}, 403)],
  ["500", html(500)],
  ["a page", html(200)],
  ["a redirect to a page", { status: 302, headers: { location: "/login" } }],
  ["a redirect to a page that no other may read", { status: 302, headers: { location: `${PAGE_ORIGIN}/sign-in` } }],
  ["nothing", { body: "" }],
  ["another record", json({ object: "service", data: { id: 7, uptime: "3 days" } })],
  ["features that are null", json({ object: "service", data: { ...description, features: null } })],
  ["features that are numbers", json({ object: "service", data: { ...description, features: [1, 2] } })],
  ["a response that pages may not read", "unreadable"],
  ["no response", "hang"],
];

/** Shortens the time that the client waits for a response. */
const shortenTimeouts = (page: Page) =>
  runBeforeClient(
    page,
    (most) => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => timeout(Math.min(milliseconds, most));
    },
    1_500,
  );

for (const [name, response] of RESPONSES) {
  test(`a service whose description is ${name} is connected to, and its chats can be read`, async ({ startDocumented, open, organization, pageErrors }) => {
    pageErrors.allow(/Failed to load resource|CORS|ERR_FAILED|ERR_TOO_MANY_REDIRECTS/);
    const service = await startDocumented();
    service.description =
      typeof response === "object" && response.headers?.["location"]
        ? { ...response, headers: { location: response.headers["location"].replace(PAGE_ORIGIN, organization.service.url) } }
        : response;
    const page = await open(null, `${organization.service.url}/icon.svg`);
    if (response === "hang") await shortenTimeouts(page);
    await page.goto(`${organization.service.url}/connect`);
    await page.getByRole("textbox", { name: "Address" }).fill(service.baseUrl);
    await page.getByRole("textbox", { name: "Access token" }).fill(service.token);
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByText("Found the documented operations")).toBeVisible();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
    await page.goto(organization.service.url + chatPath(PROJECT));
    await expect(message(page, "Morning!")).toBeVisible();
  });
}

test("a service that describes itself, but has no session, says why nothing is shown", async ({ startDocumented, open, organization, pageErrors }) => {
  pageErrors.allow(/the server responded with a status of 404/);
  const service = await startDocumented();
  service.description = json({ object: "service", data: description });
  const page = await open(null, `${organization.service.url}/connect`);
  await page.getByRole("textbox", { name: "Address" }).fill(service.baseUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(service.token);
  await page.getByRole("button", { name: "Check address" }).click();
  await expect(page.getByRole("alert")).toContainText("The service responds with error 404");
  await page.getByRole("button", { name: "Connect anyway" }).click();
  await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
});

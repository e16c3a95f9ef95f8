/** Lists the screenshots of the screen that connects to another service. */
import type { Page } from "@playwright/test";
import { connectToStudio, serveStudio, storeConnection, STUDIO_TOKEN, STUDIO_URL } from "./documented-page.ts";
import { fixedPath, signedOut, type Scene, type Shot } from "./shot.ts";

const address = (page: Page) => page.getByRole("textbox", { name: "Address" });
const token = (page: Page) => page.getByRole("textbox", { name: "Access token" });
const check = (page: Page) => page.getByRole("button", { name: "Check address" });

/** Types an address and a token. */
const type =
  (url: string, secret = "") =>
  async (page: Page) => {
    await address(page).fill(url);
    await token(page).fill(secret);
  };
const tryOut = (url: string, secret?: string) => async (page: Page) => {
  await type(url, secret)(page);
  await check(page).click();
};

/** Serves the address from the page's own service, which describes itself. */
const serveTalkback = (page: Page, { ana }: Pick<Scene, "ana">) =>
  page.route(`${STUDIO_URL}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const headers = { ...route.request().headers() };
    // The service refuses cookies of a page of another origin, which a token does not need.
    delete headers["origin"];
    const response = await route.fetch({ url: ana.url + pathname, headers });
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
/** Connects the page by token to a service that describes itself. */
const connectToTalkback: Shot["before"] = async (page, scene) => {
  await serveTalkback(page, scene);
  // No event arrives, and the connection does not end.
  await page.routeWebSocket(/studio\.example/, () => {});
  await storeConnection(page, scene.ana.url, scene.apps.accessToken);
};
const refuseToken = (page: Page) => page.route(`${STUDIO_URL}/**`, (route) => route.fulfill({ status: 401, headers: { "access-control-allow-origin": "*" } }));
const respond =
  (status: number, contentType = "text/html") =>
  (page: Page) =>
    page.route(`${STUDIO_URL}/**`, (route) => route.fulfill({ status, headers: { "access-control-allow-origin": "*" }, contentType, body: "nothing" }));
/** Serves responses that pages of other origins may not read. */
const respondUnreadably = (page: Page) =>
  page.route(`${STUDIO_URL}/**`, (route) => route.fulfill({ status: 404, headers: { "access-control-allow-origin": "https://another.example" } }));
const neverRespond = (page: Page) => page.route(`${STUDIO_URL}/**`, () => {});
const serveDocumented = (page: Page) => serveStudio(page);
const disconnected = (page: Page) => page.route(`${STUDIO_URL}/**`, (route) => route.abort("connectionrefused"));
/** Forbids the page to store on this device, or at all. */
const forbidStorage = (isAllowedForTab: boolean) => async (page: Page) => {
  await serveStudio(page);
  await page.addInitScript((isAllowed) => {
    const setItem = Storage.prototype.setItem;
    Storage.prototype.setItem = function (...item) {
      if (this === localStorage || !isAllowed) throw new DOMException("Storage is forbidden", "SecurityError");
      setItem.apply(this, item);
    };
  }, isAllowedForTab);
};
const connectOnDevice = async (page: Page) => {
  await tryOut(STUDIO_URL, STUDIO_TOKEN)(page);
  await page.getByRole("checkbox", { name: "Keep on this device" }).check();
  await connectButton(page).click();
};

const shot = (state: string, before: Shot["before"], act: Shot["act"], ready: Shot["ready"], path = "/connect"): Shot => ({
  view: "connect",
  state,
  as: signedOut,
  path: fixedPath(path),
  ...(before ? { before } : {}),
  ...(act ? { act } : {}),
  ready,
});
const connectButton = (page: Page) => page.getByRole("button", { name: /^Connect/ });
const alert = (page: Page) => page.getByRole("alert");
const noService: Shot["before"] = undefined;

export const CONNECT_SHOTS: readonly Shot[] = [
  shot("empty", noService, undefined, address),
  shot(
    "required",
    noService,
    (page) => check(page).click(),
    (page) => page.getByText("Address is required."),
  ),
  shot("malformed", noService, type("studio.example/?project=7", "tok"), (page) => page.getByText(/must not contain a query/)),
  shot("token-characters", noService, type(STUDIO_URL, "two words"), (page) => page.getByText(/without spaces/)),
  shot("unencrypted", noService, type("http://studio.example", STUDIO_TOKEN), (page) => page.getByText(/travel unencrypted/)),
  shot("checking", neverRespond, tryOut(STUDIO_URL, STUDIO_TOKEN), (page) => page.locator("button[aria-busy=true], button[aria-disabled=true]").first()),
  shot("talkback", serveTalkback, async (page, { apps }) => tryOut("studio.example", apps.accessToken)(page), connectButton),
  shot("documented", serveDocumented, tryOut(STUDIO_URL, STUDIO_TOKEN), connectButton),
  shot("token-missing", serveTalkback, tryOut(STUDIO_URL), (page) => page.getByText("This service needs an access token")),
  shot("token-refused", serveTalkback, tryOut(STUDIO_URL, "tb_pat_mistyped"), alert),
  shot("unreadable", respondUnreadably, tryOut(STUDIO_URL, STUDIO_TOKEN), connectButton),
  shot("unreachable", disconnected, tryOut(STUDIO_URL, STUDIO_TOKEN), alert),
  shot("unknown", respond(404), tryOut(STUDIO_URL, STUDIO_TOKEN), alert),
  shot("possible", respond(404, "text/plain"), tryOut(STUDIO_URL, STUDIO_TOKEN), connectButton),
  shot("failing", respond(503), tryOut(STUDIO_URL, STUDIO_TOKEN), alert),
  shot(
    "on-device",
    serveDocumented,
    async (page) => {
      await tryOut(STUDIO_URL, STUDIO_TOKEN)(page);
      await page.getByRole("checkbox", { name: "Keep on this device" }).check();
    },
    connectButton,
  ),
  shot(
    "not-stored",
    forbidStorage(false),
    (page) => tryOut(STUDIO_URL, STUDIO_TOKEN)(page).then(() => connectButton(page).click()),
    (page) => page.getByText(/stores nothing/),
  ),
  shot("not-on-device", forbidStorage(true), connectOnDevice, (page) => page.getByText(/can't store data for this site/)),
  shot("connected", connectToStudio(), undefined, (page) => page.getByText("Connected to")),
  shot("connected-on-device", connectToStudio({ storage: "localStorage" }), undefined, (page) => page.getByText("Connected to")),
  shot("settings", connectToTalkback, undefined, (page) => page.getByText(/with an access token/), "/settings/profile"),
  shot(
    "token-ended",
    connectToTalkback,
    async (page) => {
      await page.getByText(/with an access token/).waitFor();
      await refuseToken(page);
      await page.getByRole("link", { name: "Statuses" }).click();
    },
    (page) => page.getByRole("button", { name: "Enter another token" }),
    "/settings/profile",
  ),
  shot("refused", connectToStudio(), undefined, alert, "/connect?reason=refused"),
];

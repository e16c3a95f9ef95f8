/** Lists the screenshots of webhook endpoints and their deliveries. */
import type { Page } from "@playwright/test";
import { dialog, selectOption } from "../fixtures/pages.ts";
import { deliveryPath, emptyOwner, fixedPath, fullShot, webhookPath, type Shot } from "./shot.ts";

const pressButton = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();

export const WEBHOOKS_SHOTS: readonly Shot[] = [
  fullShot("webhooks", fixedPath("/settings/webhooks"), (page) => page.getByRole("region", { name: "Endpoints" }).getByRole("link").first()),
  fullShot("webhooks-log", webhookPath("failing"), (page) => page.getByRole("table", { name: "Deliveries" }), { wide: "too" }),
  fullShot("webhooks-delivery", deliveryPath, (page) => page.getByRole("region", { name: /^Attempt \d+ request/ })),
  fullShot("webhooks-paused", webhookPath("paused"), (page) => page.getByRole("button", { name: "Resume" })),
  fullShot("webhooks-gone", webhookPath("gone"), (page) => page.getByRole("button", { name: "Resume" })),
  fullShot("webhooks-token-ended", webhookPath("tokenEnded"), (page) => page.getByRole("button", { name: "Resume" })),
  fullShot("webhooks-new", fixedPath("/settings/webhooks?endpoint=new"), (page) => dialog(page, "New endpoint"), {
    act: async (page) => {
      await page.getByRole("textbox", { name: "URL" }).fill("https://user@tools.example/talkback");
      await page.getByText("Example", { exact: false }).and(page.locator("summary")).last().click();
    },
  }),
  fullShot("webhooks-projects", fixedPath("/settings/webhooks?endpoint=new"), (page) => dialog(page, "New endpoint").getByText(/projects? selected/), {
    act: async (page) => {
      await page.getByRole("textbox", { name: "URL" }).fill("https://tools.example/talkback");
      await selectOption(page.getByRole("button", { name: "Projects" }), "Selected projects");
      await dialog(page, "New endpoint").getByRole("checkbox", { name: "Release desk" }).check();
    },
  }),
  fullShot("webhooks-test", webhookPath("failing"), (page) => dialog(page, "Send a test event").getByRole("region", { name: "Response" }), {
    act: async (page) => {
      await pressButton("Send test event")(page);
      await dialog(page, "Send a test event").getByRole("button", { name: "Send test event" }).click();
    },
  }),
  fullShot("webhooks-recover", webhookPath("failing"), (page) => dialog(page, "Recover since"), { act: pressButton("Recover since…") }),
  fullShot("webhooks-rotate", webhookPath("paused"), (page) => dialog(page, "Your new signing secret"), {
    act: async (page) => {
      await pressButton("Rotate")(page);
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    },
  }),
  fullShot("webhooks-verify", webhookPath("failing"), (page) => dialog(page, "Verify signatures"), { act: pressButton("Node") }),
  {
    view: "webhooks",
    state: "empty",
    as: emptyOwner,
    path: fixedPath("/settings/webhooks"),
    ready: (page) => page.getByText("Send events to your tools"),
  },
];

import { createMessage } from "../../fixtures/api.ts";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { connectionBanner, expectSent, message, send } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("messages arrive by polling when WebSockets are blocked", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, "/icon.svg");
  await runBeforeClient(
    page,
    () => {
      // Simulates a proxy that blocks WebSockets: the connection never opens.
      globalThis.WebSocket = class extends EventTarget {
        static readonly OPEN = 1;
        readyState = 3;
        onclose: ((event: { code: number }) => void) | null = null;
        constructor() {
          super();
          setTimeout(() => this.onclose?.({ code: 1011 }));
        }
        close() {}
      } as unknown as typeof WebSocket;
    },
    null,
  );
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(connectionBanner(page)).toContainText("Reconnecting… Checking for updates every few seconds.");
  await createMessage(ben, project.id, "by another way");
  await expect(message(page, "by another way")).toBeVisible();
  await send(page, "and back");
  await expectSent(page, "and back");
});

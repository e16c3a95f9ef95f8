import { renameFile } from "../../../contract/operations/files.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, selectOption } from "../../fixtures/pages.ts";
import { verifySignature, respondOk, respondWithStatus } from "../../fixtures/receiver.ts";
import { selectStatus as chooseStatus, fastForwardCountdown, installClock } from "../../fixtures/statuses.ts";
import { expect } from "../../fixtures/test.ts";
import { endpointCard, deliveryRows, rowLink, test } from "../../fixtures/webhooks.ts";

shareOrganization();

test("setting Approved in one window calls the receiver, and the log in another window updates live", async ({
  webhooks: { owner, receiver, register, uploadFile },
  open,
}) => {
  const file = await uploadFile("nightdrive_mix.txt");
  const endpoint = await register(["file.status_changed"]);
  const log = await open(owner, `/settings/webhooks/${endpoint.id}`);
  await expect(log.getByText("No deliveries yet")).toBeVisible();
  const page = await open(owner, "/icon.svg");
  await installClock(page);
  await page.goto(`${owner.url}/files/${file}`);
  await chooseStatus(page, "Approved");
  await fastForwardCountdown(page);

  await expect(deliveryRows(log, "nightdrive_mix.txt")).toContainText("Delivered");
  await expect(deliveryRows(log, "nightdrive_mix.txt")).toContainText(/200 in (\d+ ms|\d+\.\d s)/);
  expect(receiver.received).toHaveLength(1);
  const [received] = receiver.received;
  expect(verifySignature(endpoint.secret, received!)).toMatchObject({
    object: "event",
    type: "file.status_changed",
    data: { object: "file", id: file, name: "nightdrive_mix.txt", new_status: { title: "Approved" }, changed_by_account_id: owner.id },
  });
  // The counts in the endpoint list update.
  await expect(endpointCard(log, /talkback/)).toContainText("1 event in 24 h");
  await expect(endpointCard(log, /talkback/)).toContainText("100% delivered");

  await rowLink(deliveryRows(log, "nightdrive_mix.txt")).click();
  await expect(log.getByText("Delivered.", { exact: true })).toBeVisible();
  const request = log.getByRole("region", { name: "Attempt 1 request" });
  await expect(request).toContainText(`webhook-id: ${received!.event.id}`);
  await expect(request).toContainText('"title": "Approved"');
  // Nothing scrolls inside the page.
  for (const block of await request.locator("pre").all()) expect(await block.evaluate((pre) => pre.scrollHeight <= pre.clientHeight + 1)).toBe(true);
  await log.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [name, expected] of [
    ["Copy request body", received!.body],
    ["Copy response headers", /content-type: application\/json/],
    ["Copy Event ID", received!.event.id],
  ] as const) {
    await log.getByRole("button", { name }).click();
    const copied = await log.evaluate(() => navigator.clipboard.readText());
    if (typeof expected === "string") expect(copied).toBe(expected);
    else expect(copied).toMatch(expected);
  }
  await expect(log.getByRole("region", { name: "Attempt 1 response" })).toContainText("HTTP 200");
});

test("a delivery is redelivered manually, retried when a stopped receiver returns, and delayed by Retry-After", async ({
  webhooks: { owner, receiver, register, uploadFile, loadDeliveries, retryNow },
  open,
}) => {
  const endpoint = await register(["file.uploaded"]);
  await register(["task.closed"], "http://127.0.0.1:9/other");
  await uploadFile("again.txt");
  const page = await open(owner, `/settings/webhooks/${endpoint.id}`);
  const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
  await test.step("Redeliver sends the same id and body", async () => {
    await rowLink(deliveryRows(page, "again.txt").first()).click();
    await page.getByRole("button", { name: "Redeliver now" }).click();
    await expect(attempts).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Redeliver now" })).toBeEnabled();
    expect(receiver.received).toHaveLength(2);
    const [first, second] = receiver.received;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    for (const received of [first!, second!]) expect(verifySignature(endpoint.secret, received)).toMatchObject({ type: "file.uploaded" });
  });

  await test.step("with a stopped receiver, the row shows the reason and the next attempt", async () => {
    await receiver.stop();
    await uploadFile("lost_and_found.txt");
    // The second attempt follows after seconds and the third after minutes, which leaves time to check the row.
    await expect.poll(async () => (await loadDeliveries(endpoint))[0]).toMatchObject({ subject: "lost_and_found.txt", state: "pending" });
    retryNow(endpoint, 1);
    const row = deliveryRows(page, "lost_and_found.txt").first();
    await expect(row).toContainText(/Next try in [3-6]:\d\d/);
    await expect(endpointCard(page, /talkback/)).toContainText(/Failing since/);
    await rowLink(row).click();
    await expect(attempts).toHaveCount(2);
    await expect(page.getByText("Connection refused: nothing is listening at this address.")).toBeVisible();
    await expect(page.getByText(/^Next automatic retry in /)).toBeVisible();
    await expect(page.getByText("No response.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Redeliver now" })).toBeEnabled();
  });

  await test.step("redelivering before the retry sends it once, and no retry follows", async () => {
    await receiver.start();
    await page.getByRole("button", { name: "Redeliver now" }).click();
    await expect(deliveryRows(page, "lost_and_found.txt").first()).toContainText("Delivered");
    await expect(page.getByText("Delivered.", { exact: true })).toBeVisible();
    await expect(attempts).toHaveCount(3);
    await expect(page.getByText(/^Next automatic retry in /)).toHaveCount(0);
    expect((await loadDeliveries(endpoint))[0]).toMatchObject({ state: "delivered", attempt_count: 3, next_attempt_at: null });
    // What was due is sent no second time, however often the service looks.
    retryNow(endpoint);
    await uploadFile("afterward.txt");
    await expect(deliveryRows(page, "afterward.txt").first()).toContainText("Delivered");
    await page.getByRole("button", { name: /^#1 / }).click();
    await expect(page.getByText("Connection refused: nothing is listening at this address.")).toBeVisible();
    await expect(endpointCard(page, /talkback/)).toContainText("Active");
    expect(receiver.received.map(({ event }) => event.data["name"])).toEqual(["again.txt", "again.txt", "lost_and_found.txt", "afterward.txt"]);
  });

  await test.step("Retry-After delays the next attempt, and the countdown shows it", async () => {
    receiver.respondWith(respondWithStatus(503, { "retry-after": "300" }, "busy"));
    await uploadFile("patience.txt");
    await rowLink(deliveryRows(page, "patience.txt").first()).click();
    await expect(page.getByText("The receiver is temporarily unavailable (503).")).toBeVisible();
    const countdown = page.getByText(/^Next automatic retry in \d:\d\d, as the receiver asked$/);
    const first = await countdown.textContent();
    expect(first).toMatch(/ [45]:\d\d, /);
    await expect(countdown).not.toHaveText(first!);
    await expect(page.getByRole("region", { name: "Attempt 1 request" })).toBeVisible();
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("a Retry-After that is shorter than the schedule is not named beside it", async () => {
    receiver.respondWith(respondWithStatus(503, { "retry-after": "30" }, "busy"));
    await page.getByRole("button", { name: "Redeliver now" }).click();
    await expect(attempts).toHaveCount(2);
    await expect(page.getByText(/^Next automatic retry in [3-6]:\d\d$/)).toBeVisible();
    await expect(page.getByText(/asked/)).toHaveCount(0);
  });

  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Webhooks" }).click();
  await expect(page).toHaveURL(/\/settings\/webhooks$/);
  await expect(endpointCard(page, /talkback/)).toContainText("Failing since");
  await expectAccessible(page);
});

test("a 410 response disables an endpoint immediately: notices show it and are dismissed, and after Resume, Recover resends every event", async ({
  webhooks: { owner, project, receiver, register, uploadFile },
  open,
}) => {
  const endpoint = await register(["file.uploaded"]);
  receiver.respondWith(respondWithStatus(410));
  const page = await open(owner, `/projects/${project.id}/chat`);
  await uploadFile("gone.txt");
  const notice = page.getByRole("region", { name: "Webhooks" });
  await expect(notice).toContainText("it responded with 410 Gone");
  await uploadFile("meanwhile.txt");
  await notice.getByRole("link", { name: "View webhook" }).click();
  await expect(page).toHaveURL(new RegExp(`/settings/webhooks/${endpoint.id}$`));
  await expect(page.getByText(/the receiver returned 410 Gone$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await expect(deliveryRows(page, "meanwhile.txt")).toContainText("Held");
  await expectAccessible(page);
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.reload();
  await expect(page.getByText(/the receiver returned 410 Gone$/)).toBeVisible();
  await expect(notice).toHaveCount(0);

  receiver.respondWith(respondOk);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Recover since…" }).click();
  await dialog(page, "Recover since").getByRole("button", { name: "An hour ago" }).click();
  await dialog(page, "Recover since").getByRole("button", { name: "Recover", exact: true }).click();
  await expect(dialog(page, "Recover since").getByText("2 events are being resent.")).toBeVisible();
  await expect(dialog(page, "Recover since").getByRole("button", { name: "Recover", exact: true })).toHaveCount(0);
  await dialog(page, "Recover since").getByRole("button", { name: "Done" }).click();
  await expect(dialog(page, "Recover since")).toHaveCount(0);
  for (const name of ["gone.txt", "meanwhile.txt"]) await expect(deliveryRows(page, name)).toContainText("Delivered");
});

test("the log loads page by page, its filter is in the URL, and a delivery has its own URL", async ({
  webhooks: { owner, receiver, register, uploadFile, setStatus, loadDeliveries },
  open,
  pageErrors,
}) => {
  const file = await uploadFile("mix_v1.txt");
  const renameEndpoint = await register(["file.renamed"]);
  const rename = (name: string) => call(owner, renameFile, { body: { file_id: file, name } });
  for (let number = 1; number <= 53; number += 1) await rename(`take_${number}.txt`);
  const page = await open(owner, `/settings/webhooks/${renameEndpoint.id}`);
  await test.step("older deliveries load page by page, and a new one appears above them", async () => {
    await expect(deliveryRows(page, /take_\d+\.txt/)).toHaveCount(50);
    await page.getByRole("button", { name: "Show older" }).click();
    await expect(deliveryRows(page, /take_\d+\.txt/)).toHaveCount(53);
    await expect(page.getByRole("button", { name: "Show older" })).toHaveCount(0);
    await rename("take_54.txt");
    await expect(deliveryRows(page, /take_\d+\.txt/)).toHaveCount(54);
    await expect(deliveryRows(page, /take_\d+\.txt/).first()).toContainText("take_54.txt");
  });

  const endpoint = await register(["file.uploaded", "file.status_changed"]);
  const otherFile = await uploadFile("mix_v2.txt");
  await expect.poll(async () => (await loadDeliveries(endpoint)).map(({ state }) => state)).toEqual(["delivered"]);
  receiver.respondWith(respondWithStatus(500, {}, "boom"));
  await setStatus(otherFile, "Approved");
  await test.step("filters are in the URL", async () => {
    await endpointCard(page, /file\.uploaded, file\.status_changed/).click();
    await expect(deliveryRows(page, "mix_v2.txt")).toHaveCount(2);
    await selectOption(page.getByRole("button", { name: "Event type" }), "file.uploaded");
    await expect(page).toHaveURL(/type=file\.uploaded/);
    await expect(deliveryRows(page, "mix_v2.txt")).toHaveCount(1);
    await selectOption(page.getByRole("button", { name: "State" }), "Failed");
    await expect(page.getByText("No matching deliveries")).toBeVisible();
    // The second change comes before the page shows the first.
    await page.getByRole("button", { name: "Clear filters" }).evaluate((clearFilters: HTMLElement) => {
      // The library keeps a hidden select for the browser's own filling of forms.
      const time = [...document.querySelectorAll("select")].find(({ textContent }) => textContent?.includes("Last hour"))!;
      clearFilters.click();
      time.value = [...time.options].find(({ text }) => text === "Pick a day…")!.value;
      time.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await expect(page.getByRole("button", { name: "Time" })).toHaveText("Pick a day…");
    await expect(page.getByRole("button", { name: "Event type" })).toHaveText("All types");
    await expect(deliveryRows(page, "mix_v2.txt")).toHaveCount(2);
    await page.getByRole("textbox", { name: "Day" }).fill("2026-01-02");
    await expect(page.getByText("No matching deliveries")).toBeVisible();
  });

  await test.step("a delivery has its own URL", async () => {
    await page.goto(`${owner.url}/settings/webhooks/${endpoint.id}?state=delivered`);
    await rowLink(deliveryRows(page, "mix_v2.txt").first()).click();
    await expect(page).toHaveURL(/\/deliveries\/\d+\?state=delivered$/);
    const address = page.url();
    const request = page.getByRole("region", { name: "Attempt 1 request" });
    await expect(request).toBeVisible();
    await page.goBack();
    await expect(request).toHaveCount(0);
    await page.goForward();
    await expect(request).toBeVisible();
    // A delivery outside the filter is still shown, separately.
    await page.goto(address.replace("delivered", "held"));
    await expect(request).toBeVisible();
    await expect(page.getByText("No matching deliveries")).toBeVisible();
    pageErrors.allow(statusError(404));
    await page.goto(`${owner.url}/settings/webhooks/${endpoint.id}/deliveries/999999`);
    await expect(page.getByText(/^Delivery not found\./)).toBeVisible();
  });
});

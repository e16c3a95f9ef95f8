import { createProject, history, join, setUpOwner, write } from "../../fixtures/api.ts";
import { NETWORK_LOSS } from "../../fixtures/guard.ts";
import { connectionLine, expectSent, message, send, textsInOrder } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const WRITTEN = ["while away 1", "while away 2", "while away 3"];

test("a service that dies and comes back loses nothing and doubles nothing", async ({ ownService, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const owner = await setUpOwner(ownService.url, ownService.setupLink());
  const project = await createProject(owner, "Nightdrive");
  const ben = await join(owner, "Ben", "member", [project.id]);
  const [hers, his] = await Promise.all([open(owner, `/projects/${project.id}/chat`), open(ben, `/projects/${project.id}/chat`)]);
  await send(hers, "before");
  await expect(message(his, "before")).toBeVisible();

  await ownService.kill();
  await expect(connectionLine(hers)).toContainText("No connection since");
  for (const text of WRITTEN) await send(hers, text);
  await expect(connectionLine(hers)).toContainText("3 messages wait and are sent by themselves.");
  await expect(message(hers, "while away 3")).toContainText("Waiting for the connection");
  await send(his, "from the other side");

  await ownService.start();
  for (const page of [hers, his]) {
    await expect(connectionLine(page)).toHaveCount(0, { timeout: 30_000 });
    for (const text of [...WRITTEN, "from the other side"]) await expectSent(page, text);
  }
  const stored = (await history(owner, project.id)).map(({ body }) => body);
  expect(stored).toHaveLength(5);
  expect(stored.filter((body) => WRITTEN.includes(body))).toEqual(WRITTEN);
  for (const page of [hers, his]) await expect.poll(() => textsInOrder(page, /before|while away \d|from the other side/)).toEqual(stored);
});

test("a cut network is told; what was written goes out once, what was missed comes in", async ({ pair: { ana, ben, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await send(page, "before");
  await expectSent(page, "before");

  await page.context().setOffline(true);
  for (const text of WRITTEN) await send(page, text);
  await expect(connectionLine(page)).toContainText("No connection since");
  await expect(connectionLine(page)).toContainText("3 messages wait");
  for (let index = 1; index <= 5; index += 1) await write(ben, project.id, `missed ${index}`);
  await expect(message(page, "missed")).toHaveCount(0);

  await page.context().setOffline(false);
  await expect(connectionLine(page)).toHaveCount(0);
  for (const text of WRITTEN) await expectSent(page, text);
  const stored = (await history(ana, project.id)).map(({ body }) => body);
  expect(stored).toEqual(["before", "missed 1", "missed 2", "missed 3", "missed 4", "missed 5", ...WRITTEN]);
  await expect.poll(() => textsInOrder(page, /before|while away \d|missed \d/)).toEqual(stored);
});

test("an answer that is lost on the way does not send the message twice", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(NETWORK_LOSS);
  guard.allow(/ERR_FAILED/);
  const page = await open(ana, `/projects/${project.id}/chat`);
  let lost = 0;
  await page.route("**/v1/account/projects/chat_message", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await send(page, "said once");
  await expectSent(page, "said once");
  await expect.poll(() => lost).toBe(1);
  await send(page, "and then this");
  await expectSent(page, "and then this");
  expect((await history(ana, project.id)).map(({ body }) => body)).toEqual(["said once", "and then this"]);
});

test("a message that the service refuses stays with Retry and Delete", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(/status of 400/);
  const page = await open(ana, `/projects/${project.id}/chat`);
  let refusing = true;
  await page.route("**/v1/account/projects/chat_message", (route) =>
    refusing && route.request().postDataJSON().body !== "fine"
      ? route.fulfill({
          status: 400,
          contentType: "application/problem+json",
          json: { object: "error", status: 400, title: "The request is not valid", detail: "not today" },
        })
      : route.continue(),
  );
  await send(page, "refused at first");
  await expect(message(page, "refused at first")).toContainText("Not sent: not today");
  await send(page, "never mind");
  await expect(message(page, "never mind")).toContainText("Not sent");
  await send(page, "fine");
  await expectSent(page, "fine");
  await message(page, "never mind").getByRole("button", { name: "Delete" }).click();
  await expect(message(page, "never mind")).toHaveCount(0);
  refusing = false;
  await message(page, "refused at first").getByRole("button", { name: "Retry" }).click();
  await expect(message(page, "refused at first")).not.toContainText("Not sent");
  await expect.poll(async () => (await history(ana, project.id)).map(({ body }) => body)).toEqual(["fine", "refused at first"]);
});

test("where the live channel is blocked, messages still come in by asking", async ({ pair: { ana, ben, project }, open }) => {
  const page = await open(ana, "/settings/profile");
  await page.context().routeWebSocket(/\/api\/v2\/live/, (socket) => void socket.close({ code: 1011, reason: "blocked" }));
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(connectionLine(page)).toContainText("No live connection: looking for new messages every few seconds.");
  await write(ben, project.id, "by another way");
  await expect(message(page, "by another way")).toBeVisible({ timeout: 15_000 });
  await send(page, "and back");
  await expectSent(page, "and back");
});

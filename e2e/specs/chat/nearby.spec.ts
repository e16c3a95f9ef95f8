import { markRead, write } from "../../fixtures/api.ts";
import { importMessages, longHistory } from "../../fixtures/import.ts";
import { message, timeline } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("who has read up to where is shown quietly, and moves with them", async ({ pair: { ana, ben, project }, open }) => {
  const first = await write(ana, project.id, "first take");
  const second = await write(ana, project.id, "second take");
  await markRead(ben, project.id, first.id);
  const page = await open(ana, `/projects/${project.id}/chat`);
  const mark = (text: string) => message(page, text).getByRole("img", { name: `Read by ${ben.name}` });
  await expect(mark("first take")).toBeVisible();
  await markRead(ben, project.id, second.id);
  await expect(mark("second take")).toBeVisible();
  await expect(mark("first take")).toHaveCount(0);
});

test("who is here has a dot, which goes when they leave", async ({ pair: { ana, ben, project }, open }) => {
  const hers = await open(ana, `/projects/${project.id}/chat`);
  const faces = hers
    .getByRole("banner")
    .or(hers.locator("header"))
    .getByRole("link", { name: /people$/ });
  await expect(faces).toHaveAttribute("title", new RegExp(`${ana.name} is here`));
  await expect(faces).not.toHaveAttribute("title", new RegExp(`${ben.name} is here`));
  const his = await open(ben, `/projects/${project.id}/chat`);
  await expect(faces).toHaveAttribute("title", new RegExp(`${ben.name} is here`));
  await expect(faces.locator("[data-presence]")).toHaveCount(2);
  await his.close();
  await expect(faces).not.toHaveAttribute("title", new RegExp(`${ben.name} is here`));
});

test("many messages while one reads above move nothing, and what is kept stays bounded", async ({ house, pair: { ana, ben, project }, open }) => {
  test.slow();
  const ids = importMessages(house.service, project.id, longHistory(1_500, [ana.id, ben.id], Date.now()), [ana.id]);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, /#1500 /)).toBeInViewport();
  await expect(page.getByRole("status", { name: "Loading messages" })).toHaveCount(0);
  await timeline(page).hover();
  await page.mouse.wheel(0, -3_000);
  await expect(page.getByRole("button", { name: "Jump to latest" })).toBeVisible();
  await page.waitForFunction(() => document.querySelectorAll("[role=log] li").length > 5);
  const stand = () =>
    timeline(page).evaluate((log) => {
      const view = log.getBoundingClientRect();
      const row = [...log.querySelectorAll("[data-message]")].find((element) => element.getBoundingClientRect().top > view.top + 100);
      return { id: row?.getAttribute("data-message"), top: row?.getBoundingClientRect().top ?? 0 };
    });
  await page.evaluate(async () => {
    const log = document.querySelector("[role=log]")!;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let same = 0, last = log.scrollTop; same < 20; same = log.scrollTop === last ? same + 1 : 0, last = log.scrollTop) await frame();
  });
  const before = await stand();
  for (let round = 0; round < 12; round += 1)
    await Promise.all(Array.from({ length: 25 }, (_, index) => write(ben, project.id, `flood ${round * 25 + index}`)));
  await expect(page.getByRole("button", { name: "99+ new messages" })).toBeVisible();
  const after = await timeline(page).evaluate((log, id) => log.querySelector(`[data-message="${id}"]`)?.getBoundingClientRect().top, before.id);
  expect(Math.abs((after ?? 0) - before.top)).toBeLessThanOrEqual(1);
  expect(await page.evaluate(() => document.querySelectorAll("[role=log] li").length)).toBeLessThan(120);
  await page.getByRole("button", { name: "99+ new messages" }).click();
  await expect(message(page, /flood/).last()).toBeInViewport();
  expect(ids).toHaveLength(1_500);
});

test("who is writing is told under the timeline, without moving it, until their message comes", async ({ pair: { ana, ben, project }, open }) => {
  await write(ana, project.id, "first take");
  const [hers, his] = await Promise.all([open(ana, `/projects/${project.id}/chat`), open(ben, "/settings/profile")]);
  await expect(message(hers, "first take")).toBeVisible();
  const before = await message(hers, "first take").boundingBox();
  await his.evaluate(
    async ({ url, projectId }) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/api/v2/live`);
      const heard = new Promise<void>((resolve) => {
        socket.onmessage = ({ data }) => String(data).includes('"subscribed"') && resolve();
      });
      await new Promise((resolve) => (socket.onopen = resolve));
      socket.send(JSON.stringify({ subscribe: { topic: `project:${projectId}` } }));
      await heard;
      socket.send(JSON.stringify({ typing: { project_id: projectId } }));
    },
    { url: ben.url, projectId: project.id },
  );
  await expect(hers.getByText(`${ben.name} is writing…`)).toBeVisible();
  expect(await message(hers, "first take").boundingBox()).toEqual(before);
  await write(ben, project.id, "here it is");
  await expect(hers.getByText(`${ben.name} is writing…`)).toHaveCount(0);
});

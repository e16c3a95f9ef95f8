import { expect, test } from "../../fixtures/test.ts";

test("the API page shows every operation of the document, without a sign-in", async ({ house: { service }, open }) => {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(document.openapi).toMatch(/^3\.1/);
  const page = await open(null, `${service.url}/docs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(ids.length).toBeGreaterThan(30);
  for (const id of ids) await expect(page.locator(`#${id}`)).toHaveCount(1);
  await expect(page.locator("script")).toHaveCount(0);
});

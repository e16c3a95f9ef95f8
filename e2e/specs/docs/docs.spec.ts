import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/test.ts";

/**
 * Removes all but one element of each kind, identified by the tag, classes and attribute names of it and its ancestors, because thousands of elements are alike
 * and axe takes longer the more there are.
 */
function removeRepeatedKinds(): void {
  const parent = (element: Element) => element.parentElement;
  const signature = ({ localName, className, attributes }: Element) => [localName, className, ...Array.from(attributes, ({ name }) => name)].join(" ");
  const kindPath = (element: Element): string => (parent(element) ? `${kindPath(parent(element)!)}>${signature(element)}` : signature(element));
  const knownKinds = new Set<string>();
  const needed = new Set<Element>();
  for (const element of document.body.querySelectorAll("*")) {
    const kind = kindPath(element);
    if (knownKinds.has(kind)) continue;
    knownKinds.add(kind);
    for (let current: Element | null = element; current && !needed.has(current); current = parent(current)) needed.add(current);
  }
  // Removes whole blocks only, so that headings keep their order, rows their cells and sentences their words.
  for (const block of document.querySelectorAll("section.operation, nav li, tbody > tr"))
    if (![block, ...block.querySelectorAll("*")].some((element) => needed.has(element))) block.remove();
}

test("the API page shows every operation without signing in, and is accessible", async ({ organization: { service }, open }) => {
  const { openapi, paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  expect(openapi).toMatch(/^3\.1/);
  const page = await open(null, `${service.url}/docs`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const operationIds = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(operationIds.length).toBeGreaterThan(30);
  const ids = await page.evaluate(() => Array.from(document.querySelectorAll("[id]"), ({ id }) => id));
  expect(ids).toEqual([...new Set(ids)]);
  expect(ids).toEqual(expect.arrayContaining(operationIds));
  const targets = await page.evaluate(() => Array.from(document.querySelectorAll('a[href^="#"]'), (link) => link.getAttribute("href")!.slice(1)));
  expect(ids).toEqual(expect.arrayContaining(targets));
  await expect(page.locator("script")).toHaveCount(0);

  await page.evaluate(removeRepeatedKinds);
  await expect(page.locator("section.operation").first()).toBeVisible();
  await expectAccessible(page);
});

/** What stands before every view: who is signed in, and the lists that the shell shows. */
import { redirect, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from "react-router";
import { sanitizeNextPath, signInPath } from "../lib/next-path.ts";
import { getPersisted, setPersisted } from "../lib/remembered.ts";
import { groupQueries } from "../queries/groups/options.ts";
import { projectQueries } from "../queries/projects/options.ts";
import { queryClient } from "../queries/query-client.ts";
import { sessionQueries } from "../queries/session/options.ts";

const loadSession = () => queryClient.ensureQueryData(sessionQueries.current());
const loadLists = () => Promise.all([queryClient.prefetchQuery(projectQueries.all()), queryClient.prefetchQuery(groupQueries.all())]);

/** For views that need a session: loads it and the lists, or leads to sign-in and from there back. */
export async function requireSession({ request }: LoaderFunctionArgs): Promise<null> {
  // Asked for together where somebody was signed in before; else the lists would only be refused.
  const loading = getPersisted("signed-in") ? loadLists() : null;
  if (!(await loadSession())) {
    setPersisted("signed-in", null);
    const { pathname, search } = new URL(request.url);
    throw redirect(signInPath(pathname + search));
  }
  setPersisted("signed-in", "1");
  await (loading ?? loadLists());
  return null;
}

/** What is looked for within a view changes neither who is signed in nor the lists: a search does not wait for them. */
export const shouldRevalidateSession = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean =>
  defaultShouldRevalidate && currentUrl.search === nextUrl.search;

/** For the sign-in view: who is signed in goes on. Where nobody was signed in before, nobody is asked for. */
export async function redirectSignedIn({ request }: LoaderFunctionArgs): Promise<null> {
  if (getPersisted("signed-in") && (await loadSession())) throw redirect(sanitizeNextPath(new URL(request.url).searchParams.get("next")));
  return null;
}

/** "/" opens the project of last time, else the first; on a phone it is the list itself. */
export async function openLastProject(args: LoaderFunctionArgs): Promise<null> {
  await requireSession(args);
  const projects = queryClient.getQueryData(projectQueries.all().queryKey) ?? [];
  const last = projects.find(({ id }) => String(id) === getPersisted("last-project")) ?? projects.toSorted((a, b) => a.name.localeCompare(b.name))[0];
  if (last && matchMedia("(min-width: 720px)").matches) throw redirect(`/projects/${last.id}/chat`);
  return null;
}

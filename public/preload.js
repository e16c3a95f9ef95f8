// Starts loading the code of a chat beside the code that opens it, if this is a chat's address. The build names the files, see bin/build/chunks.ts.
if (/^\/projects\/\d+\/chat(\/|$)/.test(location.pathname)) {
  const files = document.querySelector('meta[name="chat-code"]')?.content.split(" ") ?? [];
  // Below the priority of the entry, without which the page shows nothing.
  for (const href of files)
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", fetchPriority: "low", href }));
}

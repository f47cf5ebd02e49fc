// The engine's requests (docs/studio-api.md). The token comes behind the # of the printed address; it is kept for this
// tab only and taken out of the address at once.

const KEY = 'ndnf-token';
const given = location.hash.slice(1);
if (/^[0-9a-f]{16,}$/.test(given)) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', location.pathname);
}
const headers = () => ({'X-Ndnf-Token': sessionStorage.getItem(KEY) ?? ''});

export class Refusal extends Error {
  constructor(reply, status) {
    super(reply.error ?? 'the studio gave no answer');
    this.complaints = reply.complaints ?? [];
    this.status = status;
  }
}

// For the log of the browser tests: how long each request took.
export const timings = [];
globalThis.ndnfTimings = timings;

export async function ask(request, body = {}) {
  const begin = performance.now();
  let response;
  try {
    response = await fetch('/api/' + request, {
      method: 'POST',
      headers: {...headers(), 'Content-Type': 'application/json'},
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refusal({error: 'the studio has ended: start it again, and open the address that it prints'}, 0);
  }
  const reply = await response.json().catch(() => ({}));
  timings.push({request, ms: performance.now() - begin});
  if (!response.ok) throw new Refusal(reply, response.status);
  return reply;
}

// Follows the server-sent events of a training until it ends.
export async function follow(id, onEvent) {
  const response = await fetch(`/api/trainings/${id}/events`, {headers: headers()});
  if (!response.ok) throw new Refusal(await response.json().catch(() => ({})), response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    rest += value;
    const events = rest.split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data) onEvent(JSON.parse(data.slice(6)));
    }
  }
}

export function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

export function download(name, contents, type = 'application/octet-stream') {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([contents], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

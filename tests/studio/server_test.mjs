// The server from outside: who is let in, what can be read and written, how many are served, and how it ends.
import assert from 'node:assert/strict';
import {copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {EXAMPLES, folder, remove, run, startStudio} from './studio.mjs';

let cwd;
let studio;
before(async () => {
  cwd = folder();
  mkdirSync(join(cwd, 'work'));
  copyFileSync(join(EXAMPLES, 'door-corridor/dc.lp'), join(cwd, 'work', 'dc.lp'));
  writeFileSync(join(cwd, 'secret.lp'), 'action(forward).\n');
  writeFileSync(join(cwd, 'secret.json'), readFileSync(join(EXAMPLES, 'two-rooms.json')));
  symlinkSync(join(cwd, 'secret.lp'), join(cwd, 'work', 'link.lp'));
  symlinkSync(cwd, join(cwd, 'work', 'up'));
  mkdirSync(join(cwd, 'work', 'planted'));  // a run of rules whose program is elsewhere
  writeFileSync(join(cwd, 'work', 'planted', 'config.toml'), 'env = "door-corridor"\n');
  symlinkSync(join(cwd, 'secret.lp'), join(cwd, 'work', 'planted', 'policy.lp'));
  studio = await startStudio(['work/dc.lp', '--env', 'door-corridor'], cwd);
});
after(async () => { await studio.end(); remove(cwd); });

// One request, with any headers.
function send(path, {method = 'POST', headers = {}, body = '{}', token = studio.token, agent} = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({agent, host: '127.0.0.1', port: studio.port, path, method,
      headers: {...(token ? {'X-Ndnf-Token': token} : {}), ...headers}}, (response) => {
      let text = '';
      response.on('data', (data) => { text += data; });
      response.on('end', () => resolve({status: response.statusCode, headers: response.headers, text}));
    });
    request.on('error', reject);
    request.end(method === 'POST' ? body : undefined);  // in one piece, so that its length is told
  });
}
const ask = async (name, body) => {
  const {status, text} = await send(`/api/${name}`, {body: JSON.stringify(body)});
  return {status, ...JSON.parse(text)};
};

test('only those with the token are answered', async () => {
  assert.equal((await send('/api/hello')).status, 200);
  assert.equal((await send('/api/hello', {token: ''})).status, 401);
  assert.equal((await send('/api/hello', {token: studio.token.slice(0, -1)})).status, 401);
  assert.equal((await send('/api/hello', {token: studio.token.replace(/.$/, (c) => (c === '0' ? '1' : '0'))})).status, 401);
  assert.equal((await send('/api/trainings/1/events', {method: 'GET', token: ''})).status, 401);
});

test('a foreign Host or Origin is refused, also for the page itself', async () => {
  const own = `127.0.0.1:${studio.port}`;
  assert.equal((await send('/', {method: 'GET', headers: {Host: 'evil.example'}})).status, 403);
  assert.equal((await send('/', {method: 'GET', headers: {Host: `evil.example:${studio.port}`}})).status, 403);
  assert.equal((await send('/api/hello', {headers: {Origin: 'http://evil.example'}})).status, 403);
  assert.equal((await send('/api/hello', {headers: {Origin: 'null'}})).status, 403);
  assert.equal((await send('/api/hello', {headers: {Origin: `http://127.0.0.1:${studio.port + 1}`}})).status, 403);
  assert.equal((await send('/api/hello', {headers: {Origin: `http://${own}`}})).status, 200);
  assert.equal((await send('/', {method: 'GET', headers: {Host: `localhost:${studio.port}`}})).status, 200);
});

test('the page is strict about what it loads, and leaks no address', async () => {
  const {headers, text} = await send('/', {method: 'GET', token: ''});
  assert.match(headers['content-security-policy'], /^default-src 'none'; script-src 'self';/);
  assert.ok(!/unsafe|\*/.test(headers['content-security-policy']));
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.ok(!/<script>|\son[a-z]+=|style="/.test(text));
  assert.ok(!text.includes(studio.token));
});

test('it listens on loopback alone', async () => {
  const lines = readFileSync(`/proc/${studio.pid}/net/tcp`, 'utf8').split('\n').slice(1).filter(Boolean).map((line) => line.trim().split(/\s+/));
  const port = studio.port.toString(16).toUpperCase().padStart(4, '0');
  const listening = lines.filter((words) => words[3] === '0A' && words[1].endsWith(`:${port}`)).map((words) => words[1]);
  assert.deepEqual(listening, [`0100007F:${port}`]);
});

test('no file outside of the folder is read', async () => {
  assert.equal((await ask('read', {file: 'dc.lp'})).status, 200);
  for (const file of ['../secret.lp', '/etc/passwd', 'link.lp', 'up/secret.lp', 'planted', 'planted/policy.lp', './../secret.lp', 'work/../../secret.lp', '', '.', '..', 'a\0b',
    '%2e%2e/secret.lp', '..\\secret.lp', '.hidden', join(cwd, 'secret.lp'), 'x'.repeat(5000)]) {
    const reply = await ask('read', {file});
    assert.equal(reply.status, 422, file);
    assert.ok(!JSON.stringify(reply).includes('action(forward)'), file);
    assert.equal((await ask('eval', {policy: file, env: 'door-corridor'})).status, 422, file);
  }
  for (const env of ['../secret.json', join(cwd, 'secret.json'), 'up/secret.json', '/etc/passwd'])
    assert.equal((await ask('eval', {policy: 'uniform', env})).status, 422, env);
  const named = {name: 'p.lp', contents: `% environment: ${join(cwd, 'secret.json')}\naction(wait).\n`};
  const reply = await ask('eval', {policy: named});
  assert.equal(reply.status, 422);
  assert.match(reply.error, /neither a built-in task nor a file of the studio's folder/);
  assert.equal((await ask('train', {env: 'small-corridor', recipe: '../../secret.toml'})).status, 422);
});

test('no file outside of the folder is written, and only files of our kinds', async () => {
  assert.equal((await ask('save', {file: 'new.lp', contents: 'action(forward).\n'})).status, 200);
  assert.equal(readFileSync(join(cwd, 'work', 'new.lp'), 'utf8'), 'action(forward).\n');
  for (const file of ['../out.lp', join(cwd, 'out.lp'), 'link.lp', 'up/out.lp', 'run.sh', '.bashrc', 'a.lp/../../b.lp', join('..', 'work', 'x.lp')])
    assert.equal((await ask('save', {file, contents: 'x'})).status, 422, file);
  assert.ok(!existsSync(join(cwd, 'out.lp')));
  assert.equal(readFileSync(join(cwd, 'secret.lp'), 'utf8'), 'action(forward).\n');
  assert.equal((await ask('train', {env: 'small-corridor', name: '../elsewhere', steps: 100})).status, 422);
  assert.ok(!existsSync(join(cwd, 'elsewhere')));
});

test('requests are checked and bounded', async () => {
  assert.equal((await send('/api/hello', {body: '{'})).status, 400);
  assert.equal((await ask('nothing', {})).status, 422);
  assert.match((await ask('eval', {policy: 'uniform', env: 'blackjack', epsidoes: 3})).error, /epsidoes: there is no such field; known: policy, env, /);
  assert.equal((await ask('eval', {policy: 7, env: 'blackjack'})).status, 422);
  assert.equal((await ask('eval', {policy: 'uniform', env: 'blackjack', episodes: -1})).status, 422);
  assert.equal((await ask('eval', {policy: {name: 'p.lp', contents: 'x'.repeat(2e6)}, env: 'blackjack'})).status, 422);
  const large = await send('/api/save', {body: JSON.stringify({file: 'a.lp', contents: 'x'.repeat(9e6)})});
  assert.equal(large.status, 413);
  assert.equal(JSON.parse(large.text).error, 'the request is too large');
  assert.equal((await send('/api/hello', {headers: {'Transfer-Encoding': 'chunked'}})).status, 411);
  assert.equal((await send('/api/hello')).status, 200);
  assert.equal((await ask('pictures', {env: 'taxi', states: Array.from({length: 5000}, (_, i) => i)})).status, 422);
});

test('fifty clients are served at once, and slow ones block nobody', async () => {
  const slow = Array.from({length: 40}, () => {
    const socket = net.connect(studio.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/hello HTTP/1.1\r\nHost: 127.0.0.1');  // and never ends
    return socket;
  });
  const replies = await Promise.all(Array.from({length: 50}, () => ask('eval', {policy: 'uniform', env: 'small-corridor'})));
  for (const reply of replies) assert.equal(reply.status, 200);
  slow.forEach((socket) => socket.destroy());
});

// Ends when the studio has ended the connection; tells what it was sent.
function hangUp(socket) {
  let text = '';
  socket.on('data', (data) => { text += data; });
  return new Promise((resolve) => socket.on('close', () => resolve(text)));
}

test('clients that drip a byte now and then block nobody, however many they are', async () => {
  const slow = Array.from({length: 300}, () => {
    const socket = net.connect(studio.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\n');
    return socket;
  });
  const ends = slow.map(hangUp);
  const drip = setInterval(() => slow.forEach((socket) => socket.destroyed || socket.write('X: y\r\n')), 300);
  for (let i = 0; i < 20; ++i) assert.equal((await send('/api/hello', {agent: false})).status, 200);
  const texts = await Promise.all(ends);  // a request has its time, whatever drips in
  clearInterval(drip);
  assert.ok(texts.every((text) => !text.includes('200 OK')));
});

test('the body of a refused request is not taken for the next one', async () => {
  const socket = net.connect(studio.port, '127.0.0.1');
  const end = hangUp(socket);
  const inner = `POST /api/hello HTTP/1.1\r\nHost: 127.0.0.1:${studio.port}\r\nX-Ndnf-Token: ${studio.token}\r\nContent-Length: 2\r\n\r\n{}`;
  const head = `Host: 127.0.0.1:${studio.port}\r\n`;
  socket.write(`POST /api/hello HTTP/1.1\r\n${head}Content-Length: ${inner.length}\r\n\r\n${inner}GET /nothing HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
  assert.deepEqual((await end).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 404']);
});

test('endless headers are cut off', async () => {
  const socket = net.connect(studio.port, '127.0.0.1');
  socket.on('error', () => {});
  const end = hangUp(socket);
  socket.write('GET / HTTP/1.1\r\n');
  const line = `X-Filler: ${'x'.repeat(1000)}\r\n`;
  for (let i = 0; i < 200 && !socket.destroyed; ++i) socket.write(line);
  assert.ok(!(await end).includes('200 OK'));
  assert.equal((await send('/api/hello')).status, 200);
});

test('a second studio on the same port says so', async () => {
  const second = await run(['studio', '--no-browser', '--port', String(studio.port)], cwd);
  assert.equal(second.code, 2);
  assert.equal(second.errors, `ndnf: --port: ${studio.port} is in use, perhaps by another studio; choose another, or leave it out\n`);
});

test('bad arguments are one sentence', async () => {
  const wrong = await run(['studio', 'blackjak', '--no-browser'], cwd);
  assert.equal(wrong.code, 2);
  assert.match(wrong.errors, /^ndnf: blackjak: .*\n$/);
  for (const missing of ['missing.lp', 'runs/missing'])
    assert.equal((await run(['studio', missing, '--no-browser'], cwd)).errors, `ndnf: ${missing}: there is no such file or run\n`);
});

for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM']) {
  test(`${signal} ends it, and trainings are saved`, async () => {
    const own = folder();
    const other = await startStudio(['taxi', '--folder', 'work'], own);
    const headers = {'X-Ndnf-Token': other.token};
    const post = (name, body) => fetch(`http://127.0.0.1:${other.port}/api/${name}`, {method: 'POST', headers, body: JSON.stringify(body)}).then((r) => r.json());
    const {id, run: name} = await post('train', {env: 'taxi', recipe: 'best/taxi-ndnf-mt'});
    const events = await fetch(`http://127.0.0.1:${other.port}/api/trainings/${id}/events`, {headers});
    assert.equal(events.headers.get('content-type'), 'text/event-stream');
    const reader = events.body.getReader();
    let text = '';
    while (!text.includes('"event":"iteration"')) text += new TextDecoder().decode((await reader.read()).value);
    const end = await other.end(signal);
    assert.equal(end.code, 0, end.errors);
    assert.match(end.output, /the studio has ended/);
    assert.ok(existsSync(join(own, 'work', name, 'state.safetensors')));
    const resumed = await run(['eval', join('work', name), '--json'], own);
    assert.equal(resumed.code, 0, resumed.errors);
    remove(own);
  });
}

// Starts the real program's studio and a real browser for tests.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const NDNF = process.env.NDNF_BINARY;
export const EXAMPLES = process.env.NDNF_EXAMPLES;
export const PICTURES = process.env.NDNF_PICTURES;
const require = createRequire(join(process.env.NDNF_NODE_MODULES, 'node_modules', 'x.js'));
const {chromium} = require('playwright-core');
export const axeSource = require('axe-core').source;

export function folder() {
  return mkdtempSync(join(tmpdir(), 'ndnf-studio-'));
}
export const remove = (path) => rmSync(path, {recursive: true, force: true});

// A studio in a folder: its address, port and token; `end` sends a signal and gives the exit code.
export async function startStudio(words, cwd) {
  const child = spawn(NDNF, ['studio', '--no-browser', ...words], {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  let output = '';
  let errors = '';
  child.stderr.on('data', (data) => { errors += data; });
  const exit = new Promise((resolve) => child.on('exit', (code, signal) => resolve({code, signal, output, errors})));
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]+/.exec(output);
      if (found) resolve(found[0]);
    });
    exit.then(() => reject(new Error(`the studio ended: ${errors}`)));
  });
  const [, port, token] = /:(\d+)\/#(.+)$/.exec(address);
  return {address, port: Number(port), token, pid: child.pid, exit,
    end: (signal = 'SIGINT') => { child.kill(signal); return exit; }};
}

export async function run(words, cwd) {
  const child = spawn(NDNF, words, {cwd, stdio: ['ignore', 'pipe', 'pipe']});
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => { output += data; });
  child.stderr.on('data', (data) => { errors += data; });
  const code = await new Promise((resolve) => child.on('exit', resolve));
  return {code, output, errors};
}

export async function startBrowser() {
  return chromium.launch({executablePath: process.env.NDNF_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu']});
}

// A page that fails the test on console errors, refused policies and requests to anywhere else.
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 900}, reducedMotion: 'reduce', acceptDownloads: true, ...options});
  const page = await context.newPage();
  page.problems = [];
  page.on('console', (message) => {
    // A refused program is an answer (422) that the page shows; the browser logs it all the same.
    if (message.type() === 'error' && !/status of 422/.test(message.text())) page.problems.push(message.text());
  });
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:', 'file:'].includes(url.protocol) && url.hostname !== '127.0.0.1') page.problems.push(`request to ${url}`);
  });
  await page.addInitScript(() => localStorage.setItem('ndnf-tour-seen', 'yes'));
  if (address) {
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
  }
  return page;
}

export async function seriousProblems(page) {
  await page.evaluate(axeSource);
  const {violations} = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
  return violations.filter((one) => ['serious', 'critical'].includes(one.impact))
    .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

export async function picture(page, name, options = {}) {
  mkdirSync(PICTURES, {recursive: true});
  await page.screenshot({path: join(PICTURES, `${name}.png`), ...options});
}

// The page in a real browser: what people do with it, by mouse and by keyboard, in light, dark and on a phone.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {copyFileSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {EXAMPLES, folder, openPage, picture, remove, run, seriousProblems, startBrowser, startStudio} from './studio.mjs';

let browser;
const made = [];
const newFolder = () => { const path = folder(); made.push(path); return path; };
before(async () => { browser = await startBrowser(); });
after(async () => { await browser.close(); made.forEach(remove); });

// A studio on a copy of an example, and a page of it; both end with the test.
async function opened(t, words, files = [], options = {}) {
  const cwd = newFolder();
  for (const file of files) copyFileSync(join(EXAMPLES, file), join(cwd, file.split('/').pop()));
  const studio = await startStudio(words, cwd);
  const page = await openPage(browser, studio.address, options);
  t.after(async () => {
    assert.deepEqual(page.problems, []);
    await page.context().close();
    const end = await studio.end();
    assert.equal(end.code, 0, end.errors);
    assert.ok(!end.output.split('\n').slice(1).join('\n').includes(studio.token), 'the token is printed once');
  });
  return {page, studio, cwd};
}
const withoutTour = async (page, work) => {
  const hide = (hidden) => page.evaluate((value) => { document.getElementById('tour').hidden = value; }, hidden);
  await hide(true);
  await work();
  await hide(false);
};
const tab = (page, name) => page.click(`#tab-${name}`);
const typeProgram = async (page, text) => { await page.fill('#editor', text); };
const append = async (page, text) => {
  await page.focus('#editor');
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
};
const verdict = (page, words) => page.waitForFunction((w) => document.getElementById('verdict')?.textContent.includes(w), words, {timeout: 15000});

test('the tour trains Door Corridor, reads it, edits it into DC-T and proves it', async (t) => {
  const {page} = await opened(t, []);
  await page.click('#tour-button');
  const next = () => page.click('[data-do=tour-next]');
  await next();
  await next();
  await page.waitForSelector('#tour[data-step="2"]', {timeout: 60000});
  await page.waitForSelector('#live-rules .program li .a', {timeout: 20000});
  await page.waitForSelector('.chart polyline');
  await withoutTour(page, () => picture(page, 'studio-train', {fullPage: true}));
  await next();
  await page.waitForSelector('.player .chip');
  await next();
  await verdict(page, 'Exact return');
  assert.equal(await page.textContent('#return'), '−270');
  await next();
  await verdict(page, 'against the saved program');
  await page.waitForFunction(() => document.getElementById('return')?.textContent === '−8');
  assert.match(await page.inputValue('#editor'), /action\(toggle\) :- one_step_ahead_goal/);
  await page.waitForSelector('#tour[data-step="5"]');
  await page.waitForSelector('.place.changed');
  await withoutTour(page, () => picture(page, 'studio-edit', {fullPage: true}));
  await next();
  await page.waitForSelector('#proofs li.good[data-check="P>=1 [F<=8 \\"end\\"]"]', {timeout: 15000});
  assert.equal(await page.locator('#proofs li.bad').count(), 0);
  await withoutTour(page, () => picture(page, 'studio-prove'));
  await next();
  assert.equal(await page.locator('#tour').isVisible(), false);
});

test('an episode plays, rules light up, and any place can be asked', async (t) => {
  const {page} = await opened(t, ['dc.lp', '--env', 'door-corridor'], ['door-corridor/dc.lp']);
  await page.waitForSelector('.program li.fired');
  const first = await page.locator('.program li.fired').first().textContent();
  assert.match(first, /action\(turn_right\)/);
  await page.click('[data-do=step]');
  await page.waitForFunction(() => document.querySelector('.program li.fired')?.textContent.includes('toggle'));
  assert.equal(await page.locator('.place.here').count(), 1);
  await picture(page, 'studio-watch', {fullPage: true});
  await page.click('[data-do=play]');
  await page.waitForFunction(() => document.querySelector('.words')?.textContent.includes('Over:'), null, {timeout: 15000});
  await page.locator('.place:not(.nothing):not(.undefined)').nth(1).click();
  await page.waitForSelector('.inspector .reasons');
  assert.match(await page.textContent('.inspector'), /value from here.*visits an episode/s);
  assert.match(await page.textContent('.inspector'), /because/);
  await page.locator('.inspector summary').click();
  assert.match(await page.textContent('.inspector'), / if /);
  assert.deepEqual(await seriousProblems(page), []);
});

test('breaking exclusivity shows the witness, and mistakes are underlined with the parser\'s message', async (t) => {
  const {page} = await opened(t, ['optimal.lp', '--env', 'blackjack'], ['blackjack/optimal.lp']);
  await tab(page, 'edit');
  await verdict(page, 'in every observation that can be reached');
  const text = await page.inputValue('#editor');
  await typeProgram(page, text + 'action(hit) :- hand(20).\n');
  await verdict(page, 'names 2 actions');
  assert.match(await page.textContent('#verdict li.bad'), /Exactly one action.*hand\(20\)/s);
  await page.waitForSelector('.place.undefined');
  await typeProgram(page, text + 'action(hit) :- hnad(20).\n');
  await page.waitForSelector('.editor .wrong');
  assert.match(await page.textContent('#verdict'), /Line \d+, column \d+.*did you mean/s);
  await typeProgram(page, text);
  await append(page, 'action(hit) :- hand(4), hand(5).\n');
  await page.waitForSelector('.editor li.dead');
  await page.click('text=Undo');
  await page.waitForFunction(() => !document.querySelector('.editor li.dead'));
  await page.click('text=Versions');
  assert.ok(await page.locator('.versions button').count() >= 2);
  await page.waitForFunction(() => !document.querySelector('.stale') && !document.querySelector('.place.undefined'));
  await picture(page, 'studio-blackjack');
});

test('a property is proved wrong and its counterexample plays; a shield has its price', async (t) => {
  const {page} = await opened(t, ['optimal.lp', '--env', 'blackjack'], ['blackjack/optimal.lp']);
  await tab(page, 'prove');
  await page.fill('#property', 'P<=0 [F "bust"]');
  await page.press('#property', 'Enter');
  const known = await page.waitForSelector('#proofs li.bad[data-check^="P<=0"], #notice.bad:not(:empty)');
  if (await known.evaluate((element) => element.id === 'notice')) assert.fail(await known.textContent());
  await page.locator('#proofs li.bad[data-check^="P<=0"] [data-do=trace]').click();
  await page.waitForSelector('#counterexample .player img');
  await page.click('#counterexample [data-do=step]');
  await picture(page, 'studio-counterexample');
  await page.fill('#shield', 'forbidden(stick) :- hand(11).');
  await page.click('[data-do=shield]');
  await page.waitForFunction(() => /it costs nothing/.test(document.getElementById('price').textContent));
  await page.fill('#shield', 'forbidden(hit) :- hand(12).');
  await page.click('[data-do=shield]');
  await page.waitForFunction(() => /undefined in .*with the shield/.test(document.getElementById('price').textContent));
  await page.fill('#shield', '');
  await page.click('[data-do=shield]');
  await page.waitForFunction(() => /No shield/.test(document.getElementById('price').textContent));
  await page.fill('#property', 'P>=1 [G nonsense]');
  await page.press('#property', 'Enter');
  await page.waitForSelector('#notice.bad:not(:empty)');
  assert.deepEqual(await seriousProblems(page), []);
});

test('training can be stopped, resumed, compared over seeds, and goes on from locked rules', async (t) => {
  const {page, cwd} = await opened(t, ['taxi', '--folder', 'work']);
  await page.selectOption('#recipe', 'best/taxi-ndnf-mt');
  await page.click('[data-do=train]');
  await page.waitForSelector('.chart polyline', {timeout: 20000});
  await page.click('[data-do=stop]');
  await page.waitForFunction(() => /can be resumed/.test(document.getElementById('training-status').textContent), null, {timeout: 20000});
  await page.click('[data-do=resume]');
  await page.waitForFunction(() => /Training/.test(document.getElementById('training-status').textContent));
  await page.click('[data-do=stop]');
  await page.waitForFunction(() => /can be resumed/.test(document.getElementById('training-status').textContent), null, {timeout: 20000});
  await page.selectOption('#task', 'small-corridor');
  await page.waitForFunction(() => /4 states|3 states/.test(document.getElementById('about-task').textContent));
  await page.fill('#seeds', '3');
  await page.click('[data-do=train]');
  await page.waitForFunction(() => document.querySelectorAll('#results tbody tr').length === 3, null, {timeout: 60000});
  await page.locator('[data-do=open-run]').nth(1).click();
  await page.waitForSelector('.program li.fired');
  await tab(page, 'prove');
  await page.locator('.locks input').first().check();
  await page.click('[data-do=train-on]');
  await page.waitForFunction(() => /Done: small-corridor-2/.test(document.getElementById('training-status')?.textContent ?? ''), null, {timeout: 60000});
  assert.ok(readdirSync(join(cwd, 'work')).some((name) => name.endsWith('-start.lp')));
});

test('the run of a random policy is opened as a ProbLog program', async (t) => {
  const {page} = await opened(t, ['small-corridor:wall', '--folder', 'work']);
  await page.selectOption('#recipe', 'paper/small-corridor-wall-ndnf-mt');
  await page.click('[data-do=train]');
  await page.waitForSelector('[data-do=open-run]', {timeout: 60000});
  await page.locator('[data-do=open-run]').click();
  await page.waitForSelector('.program li.fired');
  assert.match(await page.textContent('.program'), /::action\(left\)/);
  await tab(page, 'edit');
  await verdict(page, 'Exact return');
});

test('everything can be kept: program, network, C, certificate, report', async (t) => {
  const {page, cwd} = await opened(t, ['sc.lp', '--env', 'small-corridor'], ['corridors/sc.lp']);
  await tab(page, 'keep');
  await page.fill('#file', 'mine.lp');
  await page.click('[data-do=save-file]');
  await page.waitForFunction(() => /Saved/.test(document.getElementById('notice').textContent));
  assert.equal(readFileSync(join(cwd, 'mine.lp'), 'utf8'), readFileSync(join(cwd, 'sc.lp'), 'utf8'));
  const kept = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download', {timeout: 20000}), page.click(`[data-do=${name}]`)]);
    const file = join(cwd, download.suggestedFilename());
    await download.saveAs(file);
    return file;
  };
  const network = await kept('network');
  const value = JSON.parse((await run(['eval', network, '--env', 'small-corridor', '--json'], cwd)).output);
  assert.equal(value.return, -3);
  assert.match(readFileSync(await kept('c'), 'utf8'), /^\/\*/);
  assert.equal(JSON.parse(readFileSync(await kept('certificate'), 'utf8')).format, 'ndnf-extraction');
  assert.match(readFileSync(await kept('report'), 'utf8'), /<h2 id="program">/);
});

test('the keyboard is enough', async (t) => {
  const {page} = await opened(t, ['dc.lp', '--env', 'door-corridor'], ['door-corridor/dc.lp']);
  await page.focus('#tab-watch');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#editor');
  assert.equal(await page.getAttribute('#tab-edit', 'aria-selected'), 'true');
  await verdict(page, 'Exact return');
  for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement?.id === 'editor')); ++i) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'editor');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('action(tog');
  await page.waitForSelector('.choices:not([hidden])');
  await page.keyboard.press('Enter');
  assert.ok((await page.inputValue('#editor')).endsWith('action(toggle)'));
  await page.keyboard.type(' :- one_step_ahead_goal.');
  await verdict(page, 'have another action');
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement.id), 'editor');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, 'none');
});

test('it fits a phone, and is dark in the dark', async (t) => {
  const {page} = await opened(t, ['optimal.lp', '--env', 'blackjack'], ['blackjack/optimal.lp'], {viewport: {width: 390, height: 844}, colorScheme: 'dark'});
  for (const name of ['train', 'watch', 'edit', 'prove', 'keep']) {
    await tab(page, name);
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${name} is ${wide} wide`);
    assert.deepEqual(await seriousProblems(page), [], name);
  }
  await tab(page, 'watch');
  await page.waitForSelector('.player .chip');
  await picture(page, 'studio-phone-dark');
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, 'rgb(14, 18, 22)');
});

test('every view is accessible in the light and in the dark', async (t) => {
  for (const colorScheme of ['light', 'dark']) {
    const {page} = await opened(t, ['dc.lp', '--env', 'door-corridor'], ['door-corridor/dc.lp'], {colorScheme});
    for (const name of ['train', 'watch', 'edit', 'prove', 'keep']) {
      await tab(page, name);
      await page.waitForTimeout(400);
      assert.deepEqual(await seriousProblems(page), [], `${name}, ${colorScheme}`);
    }
    if (colorScheme === 'dark') {
      await tab(page, 'watch');
      await page.waitForSelector('.player .chip');
      await picture(page, 'studio-dark');
    }
  }
});

test('a task without a model can be watched and edited, with sampled figures', async (t) => {
  const {page} = await opened(t, ['mountain-car', '--folder', 'work']);
  await tab(page, 'edit');
  await typeProgram(page, 'action(right).\n');
  await verdict(page, 'Sampled return');
  assert.match(await page.textContent('#return'), /±/);
  await tab(page, 'watch');
  await page.waitForSelector('.player .chip');
  await tab(page, 'train');
  await page.waitForFunction(() => document.getElementById('model').value === 'rules');
});

test('a program over numbers is watched with pictures and reasons, and proved for every observation', async (t) => {
  const {page} = await opened(t, ['cart.lp'], ['cart-pole/cart.lp']);
  await page.waitForSelector('.player .picture img');
  assert.match(await page.textContent('.player'), /because angle \+ 0\.5\*spin > 0/);
  await picture(page, 'studio-numbers');
  await page.locator('.observations .place').first().click();
  await page.waitForSelector('.inspector .reasons');
  assert.match(await page.textContent('.inspector'), /because/);
  assert.equal(await page.locator('.differs-key').count(), 0);  // nothing is known about the best policy
  await tab(page, 'edit');
  await verdict(page, 'within the ranges, proved by Z3');
  const text = await page.inputValue('#editor');
  await typeProgram(page, text.replace('2*A + S <= 0', '2*A + S <= 9'));
  await verdict(page, 'several actions hold');
  await verdict(page, 'for example in');
  await typeProgram(page, text);
  await verdict(page, 'within the ranges, proved by Z3');
  await tab(page, 'prove');
  await page.waitForSelector('#proofs li.good[data-check="overlaps"]');
  await page.fill('#property', 'never action(left) when spin > 0.5, angle > 0');
  await page.press('#property', 'Enter');
  await page.waitForSelector('#proofs li.good[data-check^="never"]');
  await page.fill('#property', 'never action(left) when spin > 0.5');
  await page.press('#property', 'Enter');
  await page.waitForSelector('#proofs li.bad[data-check^="never"]');
  assert.deepEqual(await seriousProblems(page), []);
});

test('a model file is dropped, learned and watched, and whatever its names are is text', async (t) => {
  const {page, cwd} = await opened(t, ['--folder', 'work']);
  const file = join(cwd, 'lake.json');
  const evil = '<img src=x onerror=alert(1)>';
  writeFileSync(file, readFileSync(join(EXAMPLES, 'lake/lake.json'), 'utf8').replace('FrozenLake 4 × 4', evil));
  await page.setInputFiles('#model-file', file);
  await page.waitForFunction(() => document.getElementById('task').value === 'lake.json');
  await page.waitForFunction(() => /11 states/.test(document.getElementById('about-task').textContent));
  await page.fill('#steps', '20000');
  await page.click('[data-do=train]');
  await page.waitForSelector('[data-do=open-run]', {timeout: 60000});
  await page.locator('[data-do=open-run]').click();
  await page.waitForSelector('.program li.fired');
  await page.waitForSelector('.place');
  for (const name of ['train', 'edit', 'prove', 'keep']) {
    await tab(page, name);
    await page.waitForTimeout(400);
    assert.equal(await page.locator('#notice.bad:not(:empty)').count(), 0, name);
  }
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  writeFileSync(file, readFileSync(join(EXAMPLES, 'two-rooms.json')));
  await tab(page, 'train');
  await page.setInputFiles('#model-file', file);
  await page.waitForSelector('#notice.bad:has-text("with other contents")');
  writeFileSync(join(cwd, 'broken.json'), '{"format": "ndnf-model"}');
  await page.setInputFiles('#model-file', join(cwd, 'broken.json'));
  await page.waitForSelector('#notice.bad:has-text("broken.json")');
  assert.ok(!readdirSync(join(cwd, 'work')).includes('broken.json'));
  const [download] = await Promise.all([page.waitForEvent('download', {timeout: 20000}), tab(page, 'keep').then(() => page.click('[data-do=report]'))]);
  const report = readFileSync(await download.path(), 'utf8');
  assert.ok(!report.includes(evil));
});

test('a training that goes on is found again after a reload, stopped and resumed', async (t) => {
  const {page} = await opened(t, ['taxi', '--folder', 'work']);
  const status = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('training-status')?.textContent ?? ''), pattern, {timeout: 20000});
  await page.selectOption('#recipe', 'best/taxi-ndnf-mt');
  await page.click('[data-do=train]');
  await status('Training');
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await status('Training');
  await page.click('[data-do=stop]');
  await status('can be resumed');
  await page.click('[data-do=resume]');
  await status('Training');
  await page.click('[data-do=stop]');
  await status('can be resumed');
});

test('the verdict of an edit is quick; the times are in this log', async (t) => {
  const {page} = await opened(t, ['--folder', 'work']);
  const programs = [['small-corridor', 'corridors/sc.lp'], ['long-corridor-5', 'corridors/lc-5.lp'], ['long-corridor-11', 'corridors/lc-11.lp'],
    ['blackjack', 'blackjack/optimal.lp'], ['door-corridor', 'door-corridor/dc.lp'], ['door-corridor-t', 'door-corridor/dc-t.lp'], ['taxi', null], ['taxi:rows=70,cols=70', null]];
  for (const [env, file] of programs) {
    await page.evaluate(async ([name, text]) => {
      const state = await import('/state.js');
      await state.openTask(name);
      state.studio.versions = [];
      state.setProgram(text ?? `action(${state.studio.task.actions[0]}).\n`, {file: 'x.lp'});
    }, [env, file && readFileSync(join(EXAMPLES, file), 'utf8')]);
    await tab(page, 'edit');
    await page.waitForFunction(() => document.querySelector('#verdict .verdict'), null, {timeout: 30000});
    const count = await page.evaluate(() => globalThis.ndnfVerdicts.length);
    await typeProgram(page, (await page.inputValue('#editor')) + '% edited\n');
    await page.waitForFunction((n) => globalThis.ndnfVerdicts.length > n, count, {timeout: 30000});
    const {ms} = await page.evaluate(() => globalThis.ndnfVerdicts.at(-1));
    t.diagnostic(`${env}: verdict on screen after ${ms.toFixed(0)} ms`);
  }
});

test('the report of 16 seeds is small, complete, and without accessibility problems', async (t) => {
  const cwd = newFolder();
  await run(['train', 'paper/door-corridor-ndnf-mt', '--set', 'ppo.total_timesteps=60000', '--seeds', '0..15', '--out', 'runs'], cwd);
  const made_ = await run(['report', 'runs', '--property', 'P>=1 [F "end"]'], cwd);
  assert.equal(made_.code, 0, made_.errors);
  assert.ok(statSync(join(cwd, 'report.html')).size < 3e6);
  for (const colorScheme of ['light', 'dark']) {
    const page = await openPage(browser, null, {colorScheme, offline: true});
    t.after(() => page.context().close());
    await page.goto('file://' + join(cwd, 'report.html'));
    assert.deepEqual(await seriousProblems(page), [], colorScheme);
    assert.deepEqual(page.problems, []);
    await picture(page, `report-${colorScheme}`, {clip: {x: 0, y: 0, width: 1280, height: 1500}, fullPage: true});
    await page.setViewportSize({width: 390, height: 844});
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  }
});

test('the page of a notebook plays without a studio', {skip: !process.env.NDNF_WATCH_PAGE && 'NDNF_WATCH_PAGE names the program that writes it'}, async (t) => {
  const cwd = newFolder();
  const file = join(cwd, 'watch.html');
  execFileSync(process.env.NDNF_WATCH_PAGE, ['door-corridor/dc.lp', 'door-corridor', file], {cwd: EXAMPLES});
  const page = await openPage(browser, null, {offline: true});
  t.after(() => page.context().close());
  await page.goto('file://' + file);
  await page.waitForSelector('.program li.fired');
  await page.click('[data-do=step]');
  await page.waitForFunction(() => document.querySelector('.program li.fired')?.textContent.includes('toggle'));
  assert.equal(await page.locator('.place.here').count(), 1);
  assert.deepEqual(await seriousProblems(page), []);
  assert.deepEqual(page.problems, []);
  await picture(page, 'studio-notebook');
});

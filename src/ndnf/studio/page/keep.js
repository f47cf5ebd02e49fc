// Keep: everything that leaves the studio.
import {h} from './dom.js';
import {ask, bytesOf, download} from './api.js';
import {studio, changed, programInput, policyInput, shieldInput, about, extension, extracted, refreshFiles} from './state.js';

export async function keepView(view, {go, guard, notice}) {
  if (!studio.task || (!studio.text && !studio.run)) {
    view.append(h('section', {class: 'card empty'}, h('h1', {}, 'Nothing to keep yet'), h('p', {}, 'Train or open a policy first.'),
      h('button', {type: 'button', class: 'primary', onclick: () => go('train')}, 'Train a policy')));
    return undefined;
  }
  const shield = () => (shieldInput() ? {shield: shieldInput()} : {});
  const stem = () => (studio.file ?? 'policy').split('/').pop().replace(/\.[a-z]+$/, '');
  const file = h('input', {type: 'text', id: 'file', size: 30, value: studio.file ?? `policy${extension()}`, spellcheck: 'false'});
  const item = (title, words, label, name, work, needs = true) => h('li', {}, h('div', {}, h('strong', {}, title), h('div', {class: 'soft'}, words)),
    h('button', {type: 'button', 'data-do': name, disabled: !needs, onclick: () => guard(work)}, label));
  const save = () => guard(async () => {
    const reply = await ask('save', {file: file.value.trim(), contents: studio.text});
    studio.file = reply.file;
    studio.saved = studio.text;
    changed('program');
    await refreshFiles();
    notice(`Saved ${reply.bytes} bytes as ${reply.file} in ${studio.hello.folder}`);
  });
  const program = Boolean(studio.text.trim());
  view.append(h('h1', {class: 'visually-hidden'}, 'Keep'), h('div', {class: 'columns'},
    h('section', {class: 'card'}, h('h2', {}, 'In the folder'), h('p', {class: 'soft'}, studio.hello.folder),
      h('form', {class: 'row', onsubmit: (event) => { event.preventDefault(); save(); }}, h('label', {for: 'file'}, 'Program'), file,
        h('button', {class: 'primary', 'data-do': 'save-file', disabled: !program}, 'Save'))),
    h('section', {class: 'card'}, h('h2', {}, 'Take with you'), h('ul', {class: 'plain keep'},
      item('The program', 'as it is edited now', 'Download', 'program', async () => download(stem() + extension(), studio.text, 'text/plain'), program),
      item('The network', 'the program compiled, compared with it in every reachable observation', 'Compile', 'network', async () => {
        const reply = await ask('compile', {program: programInput(), ...about(shield())});
        if (!reply.agrees) throw new Error(`The network differs in ${reply.disagreements} of ${reply.observations} observations: nothing is written.`);
        download(stem() + '.safetensors', bytesOf(reply.contents));
        notice(`${reply.conjunctions} conjunctions; agrees with the program in all ${reply.observations} observations`);
      }, program && studio.task.finite),
      item('C', 'one file for machines without anything else', 'Download', 'c', async () => {
        const reply = await ask('export', {policy: policyInput(), format: 'c', ...about(shield())});
        download(stem() + '.c', bytesOf(reply.contents), 'text/x-c');
        notice(`C code of ${reply.policy}`);
      }),
      item('The certificate', 'claims that anyone can check without ndnf (docs/certificates.md)', 'Download', 'certificate', async () => {
        const policy = studio.run && studio.text === studio.saved ? studio.run : policyInput();
        const reply = await extracted({policy, certify: true, ...(policy === studio.run ? {} : about())});
        if (!reply.certificate) throw new Error('There is no certificate: nothing is proved about a sampled task.');
        download(`policy${reply.as === 'problog' ? '.pl' : '.lp'}.certificate.json`, JSON.stringify(reply.certificate, null, 1), 'application/json');
        notice('The certificate belongs to the program that was extracted again; both are deterministic');
      }),
      item('The report', 'one page with results, pictures and proofs', 'Download', 'report', async () => {
        const policies = studio.run && studio.text === studio.saved ? [studio.run] : [policyInput()];
        const reply = await ask('report', {policies, properties: studio.properties, ...about(shield())});
        download(stem() + '-report.html', reply.html, 'text/html');
        notice('The report is complete in one file');
      })))));
  return undefined;
}

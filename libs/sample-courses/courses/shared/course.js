/**
 * Runs a course of pages with a quiz on the way. The page that holds it is plain HTML:
 * `section[data-page]` in their order, one of them with `form[data-quiz]` whose fieldsets carry
 * `data-question` and one `input[data-right]`, and the last one, `section[data-page="result"]`,
 * for the outcome.
 *
 * @param {import('./tracker.js').Tracker} tracker how the course reports to its player
 * @param {{ passAt: number }} rules the least score, 0 to 100, that passes
 */
export function runCourse(tracker, { passAt }) {
  const pages = [...document.querySelectorAll('section[data-page]')];
  const form = document.querySelector('form[data-quiz]');
  const questions = [...form.querySelectorAll('fieldset[data-question]')];
  const button = (name) => document.querySelector(`[data-testid="${name}"]`);
  const state = { page: 0, visited: [0], attempts: 0, score: null, ...tracker.resume() };

  const quizPage = pages.findIndex((page) => page.contains(form));
  const resultPage = pages.length - 1;
  /** The learner has finished: the pages can still be read, but nothing is saved any more. */
  let finished = false;

  function show(index, moveFocus) {
    state.page = index;
    if (!state.visited.includes(index)) state.visited.push(index);
    pages.forEach((page, at) => (page.hidden = at !== index));
    button('back').hidden = index === 0;
    button('next').hidden = index >= (finished ? resultPage : quizPage);
    button('submit').hidden = finished || index !== quizPage;
    button('retry').hidden = finished || index !== resultPage || state.score >= passAt;
    button('finish').hidden = finished || index !== resultPage;
    document.querySelector('progress').value = progress();
    if (moveFocus) {
      window.scrollTo(0, 0);
      pages[index].querySelector('h1').focus();
    }
    if (!finished) save();
  }

  const progress = () => state.visited.length / pages.length;
  const save = () =>
    tracker.saveProgress({ location: pages[state.page].dataset.page, progress: progress(), state });

  function submit() {
    const open = questions.filter((question) => !question.querySelector('input:checked'));
    const complaint = form.querySelector('.complaint');
    complaint.hidden = open.length === 0;
    if (open.length > 0) {
      open[0].querySelector('input').focus();
      return;
    }
    const answers = questions.map(answerOf);
    state.attempts += 1;
    state.score = Math.round(
      (100 * answers.filter((answer) => answer.right).length) / answers.length,
    );
    state.wrong = answers.filter((answer) => !answer.right).map((answer) => answer.id);
    for (const answer of answers) tracker.recordAnswer(answer);
    tracker.saveResult({ score: state.score, passed: state.score >= passAt });
    showResult();
    show(resultPage, true);
  }

  const answerOf = (question) => {
    const chosen = question.querySelector('input:checked').value;
    const right = question.querySelector('input[data-right]').value;
    return {
      id: question.dataset.question,
      text: question.querySelector('legend').textContent.trim(),
      chosen,
      correct: right,
      right: chosen === right,
    };
  };

  function showResult() {
    const passed = state.score >= passAt;
    const box = document.querySelector('[data-testid="result"]');
    box.classList.toggle('failed', !passed);
    box.querySelector('strong').textContent = `${state.score} %`;
    box.querySelector('span').textContent = passed
      ? 'You passed.'
      : `You need ${passAt} % to pass. Look at the hints and try again.`;
    for (const hint of document.querySelectorAll('[data-hint]')) {
      hint.hidden = !state.wrong.includes(hint.dataset.hint);
    }
  }

  button('next').addEventListener('click', () => show(state.page + 1, true));
  button('back').addEventListener('click', () => show(state.page - 1, true));
  button('submit').addEventListener('click', submit);
  button('retry').addEventListener('click', () => {
    form.reset();
    show(quizPage, true);
  });
  button('finish').addEventListener('click', () => {
    tracker.leave({ finished: true });
    finished = true;
    form.inert = true;
    document.querySelector('[data-finished]').hidden = false;
    show(resultPage, true);
  });
  window.addEventListener('pagehide', () => tracker.leave({ finished: state.score >= passAt }));

  if (state.score !== null) showResult();
  show(state.page, false);
}

<title>306.b, a former number · Variorum</title>
<main id="_main">
<nav class="crumbs" aria-label="Place"><ol>
<li><a href="../index.html">Rules</a></li>
</ol></nav>
<h1><span class="n">306.b</span></h1>
<p class="asof gone">No rule has this number today. These are the words that had it.</p>
<article class="gone" id="2008-06-20" aria-label="306.b, formerly">
<h2 id="_of-1" class="unseen">306.b</h2>
<div class="text" id="_text-1">
<p id="_gone-1">If an effect puts a boat into the harbor sailing, that boat was never mustered. Abilities that wait for a muster don't trigger.</p>

</div>
<p class="note">Printed as 306.b; by its place it should be 306.2b.</p>
<p class="facts-line">in force 20 June 2008 to 21 January 2010 · <a href="../506.2b/index.html">now 506.2b</a></p>

<p class="cite"><a class="perma" href="#2008-06-20">CR 306.b (2008-06-20)</a>
<button hidden>Copy text</button>
<button hidden>Copy citation</button>
<button hidden>Copy permalink</button></p>

<nav class="time" aria-label="Time" data-number="306.b"></nav>



</article>
</main>

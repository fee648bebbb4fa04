-- Only the migrations that filled the tallies of sales read these.
drop view sale_year_counts;
drop view sale_counts;
